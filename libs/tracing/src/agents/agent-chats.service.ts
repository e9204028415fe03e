import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { NotFoundError } from '@heddle/http';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { QuerySql } from '../query/query-sql.js';
import { StatementReader } from '../query/statement.reader.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { indexedText, originalText } from '../values/indexed-text.js';
import { agentSpan, durationOf } from './agent-span.js';
import { AgentSpansReader, between } from './agent-spans.reader.js';
import { MAX_SPANS, MAX_TURNS, type QueryConversationSpans, type ReadConversationChat } from './agents.schema.js';
import { traceChat } from './chat-view.js';
import { IS_SPAN } from './span-rows-sql.js';

/** Spans of one conversation that are shown at once. */
const MAX_SHOWN = 200;

interface TurnRow {
  trace_id: string | null;
  long_texts: Record<string, string> | null;
}

/** Traces and conversations of agents, as chats. */
@Injectable()
export class AgentChatsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: AgentSpansReader,
    private readonly statements: StatementReader,
  ) {}

  async ofTrace(caller: Principal, projectId: string, traceId: string, signal: AbortSignal): Promise<object> {
    const project = await this.access.find(caller, parseProjectId(projectId));
    const chat = project && (await this.chat(project, indexedText(traceId), traceId, signal));
    if (!chat) throw new NotFoundError(`Trace '${traceId}' has no spans`, 'trace_not_found');
    return chat;
  }

  /** Each trace that has a span of the conversation is a turn. The newest turns, in the order in which they were. */
  async ofConversation(caller: Principal, request: ReadConversationChat, signal: AbortSignal): Promise<object> {
    const { project_id: projectId, conversation_id: id, limit = MAX_TURNS, offset = 0 } = request;
    const project = await this.access.find(caller, parseProjectId(projectId));
    const traces = project ? await this.turns(project.id, id, signal) : [];
    const page = traces.slice(offset, offset + limit).reverse();
    const turns: Record<string, unknown>[] = [];
    for (const { trace_id: stored, long_texts: longTexts } of page) {
      if (stored === null) continue;
      const chat = await this.chat(project!, stored, originalText(stored, longTexts), signal);
      if (chat) turns.push(chat);
    }
    const costs = turns.flatMap((turn) => (typeof turn['total_cost_usd'] === 'number' ? [turn['total_cost_usd']] : []));
    return {
      conversation_id: id,
      turns,
      total_turns: traces.length,
      has_more: traces.length > offset + limit,
      limit,
      offset,
      total_cost_usd: costs.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : null,
      feedback: null,
    };
  }

  /** The first spans of each conversation, without what was said. */
  async spans(caller: Principal, request: QueryConversationSpans, signal: AbortSignal): Promise<object[]> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const time = between(request.started_after, request.started_before);
    const conversations = [];
    for (const id of new Set(request.conversation_ids)) {
      const where = (sql: QuerySql): string[] => [`c.thread_id = ${sql.bind(indexedText(id), 'text')}`, ...time(sql)];
      const rows = await this.reader.all(project?.id ?? 0, { where, limit: MAX_SHOWN }, signal);
      const spans = rows.map(agentSpan).map((span) => ({
        operation_name: span.operation_name ?? '',
        trace_id: span.trace_id,
        span_id: span.span_id,
        status: span.status_code,
        duration_ms: durationOf(span),
      }));
      conversations.push({ conversation_id: id, spans, spans_feedback: [] });
    }
    return conversations;
  }

  /** @param stored the trace's id as calls have it */
  private async chat(project: ProjectRef, stored: string, traceId: string, signal: AbortSignal) {
    const where = (sql: QuerySql): string[] => [`c.trace_id = ${sql.bind(stored, 'text')}`];
    const rows = await this.reader.all(project.id, { where, details: true, limit: MAX_SPANS }, signal);
    return rows.length > 0 ? traceChat(traceId, await this.reader.costed(project, rows, true)) : null;
  }

  /** The newest first. */
  private async turns(projectId: number, id: string, signal: AbortSignal): Promise<TurnRow[]> {
    const sql = new QuerySql();
    const text = `
      SELECT c.trace_id, (array_agg(c.long_texts) FILTER (WHERE c.long_texts IS NOT NULL))[1] AS long_texts FROM calls c
      WHERE c.project_id = ${sql.bind(projectId, 'integer')} AND c.thread_id = ${sql.bind(indexedText(id), 'text')}
        AND ${VISIBLE_CALL} AND ${IS_SPAN}
      GROUP BY c.trace_id ORDER BY min(c.started_at) DESC, c.trace_id DESC`;
    const rows: TurnRow[] = [];
    for await (const page of this.statements.rows<TurnRow>({ text, values: sql.values }, signal)) rows.push(...page);
    return rows;
  }
}
