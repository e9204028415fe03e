import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import type { QuerySql } from '../query/query-sql.js';
import { indexedText } from '../values/indexed-text.js';
import { type AgentSpan, agentSpan } from './agent-span.js';
import { AgentSpansReader, between } from './agent-spans.reader.js';
import { DEFAULT_MATCHES, type SearchMessages } from './agents.schema.js';
import { shownText } from './span-messages.js';

const PREVIEW = 500;
/** Of one conversation as many matches are shown. */
const MAX_MATCHES = 100;
const NO_CONVERSATION = '__NO_CONVERSATION__';
/** What looks in JSON text as it does by itself. */
const PLAIN = /^[\p{L}\p{N} .,;:!?_-]+$/u;

interface Match {
  span_id: string;
  trace_id: string;
  role: string;
  content_preview: string;
  content_digest: string;
  started_at: string;
}

interface Conversation {
  conversation_id: string;
  conversation_name: string;
  agent_name: string;
  matched_messages: Match[];
  last_activity: string;
}

/** Finds what was said to agents, and by them. */
@Injectable()
export class AgentSearchService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: AgentSpansReader,
  ) {}

  /** By conversation, that of the newest match first. */
  async search(caller: Principal, request: SearchMessages, signal: AbortSignal): Promise<object> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const found = new Map<string, Conversation>();
    const order = (): string[] => ['s.started_at DESC', 's.span_id'];
    const query = { where: conditions(request), order, details: true };
    for await (const rows of this.reader.pages(project?.id ?? 0, query, signal))
      for (const row of rows) collect(found, agentSpan(row), request);
    const { limit = DEFAULT_MATCHES, offset = 0 } = request;
    return { results: [...found.values()].slice(offset, offset + limit), total_conversations: found.size };
  }
}

/** Of most spans without a match no message is read. */
function conditions(request: SearchMessages): (sql: QuerySql) => string[] {
  const { query = '', trace_id: trace, conversation_id: conversation } = request;
  const time = between(request.started_after, request.started_before);
  return (sql) => [
    ...time(sql),
    ...(trace === undefined ? [] : [`c.trace_id = ${sql.bind(indexedText(trace), 'text')}`]),
    ...(conversation === undefined ? [] : [`c.thread_id = ${sql.bind(indexedText(conversation), 'text')}`]),
    // Not ASCII, it may stand escaped.
    ...(PLAIN.test(query) && /^[\x20-\x7e]*$/.test(query)
      ? [`strpos(lower(concat(c.inputs, c.output)), ${sql.bind(query.toLowerCase(), 'text')}) > 0`]
      : []),
  ];
}

function collect(found: Map<string, Conversation>, span: AgentSpan, request: SearchMessages): void {
  const wanted = (name: 'agent_name' | 'provider_name' | 'request_model'): boolean =>
    request[name] === undefined || request[name] === span[name];
  if (!wanted('agent_name') || !wanted('provider_name') || !wanted('request_model')) return;
  const matches = matchesIn(span, request);
  if (matches.length === 0) return;
  const id = span.conversation_id ?? NO_CONVERSATION;
  const conversation = found.get(id) ?? {
    conversation_id: id,
    conversation_name: span.conversation_name ?? '',
    agent_name: span.agent_name ?? '',
    matched_messages: [],
    last_activity: span.started_at,
  };
  found.set(id, conversation);
  const room = MAX_MATCHES - conversation.matched_messages.length;
  conversation.matched_messages.push(...matches.slice(0, Math.max(0, room)));
}

function matchesIn(span: AgentSpan, { query = '', roles, truncate_content: truncate = true }: SearchMessages): Match[] {
  const needle = query.toLowerCase();
  return [...span.input_messages, ...span.output_messages].flatMap(({ role, content }) => {
    const text = shownText(content);
    if (text === '' || (roles && !roles.includes(role)) || !text.toLowerCase().includes(needle)) return [];
    const digest = createHash('sha256').update(text).digest('hex');
    const preview = truncate ? Array.from(text).slice(0, PREVIEW).join('') : text;
    const { span_id, trace_id, started_at } = span;
    return [{ span_id, trace_id, role, content_preview: preview, content_digest: digest, started_at }];
  });
}
