import { ApiError } from '@heddle/http';
import { makeId } from '@heddle/tracing';
import { readBody } from '../request/request-body.js';
import type { RequestFields } from '../request/request-fields.js';

/** A chat that Weave's playground and clients ask for, and how it is to be kept. */
export interface PlaygroundRequest {
  projectId: string;
  /** Body of a chat completion. */
  chat: Record<string, unknown>;
  /** Null: it is not kept. */
  track: Tracked | null;
}

export interface Tracked {
  spanId: string;
  traceId: string;
  parentId: string | null;
  conversationId: string;
  conversationName: string | null;
  source: string | null;
}

/** Not for the model: whose servers these are for, they aren't asked. */
const LEFT_OUT = new Set(['timeout', 'api_version', 'extra_headers', 'vertex_credentials', 'template_vars', 'stream']);

/** @throws ParameterError for what can't be read, ApiError 501 for what Heddle doesn't do */
export function readPlaygroundRequest(body: Buffer): PlaygroundRequest {
  const fields = readBody(body);
  const inputs = fields.required('inputs', fields.object('inputs'));
  inputs.required('model', inputs.string('model'));
  if (inputs.has('prompt')) throw new NotServedError('A prompt by its reference');
  if (fields.has('inference_route')) throw new NotServedError('A route to a deployment');
  const sent = Object.entries(inputs.all).filter(([name, value]) => !LEFT_OUT.has(name) && value !== null);
  const chat: Record<string, unknown> = { logprobs: false, ...Object.fromEntries(sent) };
  const variables = inputs.object('template_vars');
  if (variables) chat['messages'] = filled(inputs.array('messages') ?? [], variables.all);
  return {
    projectId: fields.required('project_id', fields.string('project_id')),
    chat,
    track: fields.boolean('track_llm_call') === false ? null : readTracked(fields),
  };
}

class NotServedError extends ApiError {
  constructor(what: string) {
    super(501, 'not_built', `${what} is not built in Heddle`);
  }
}

const readTracked = (fields: RequestFields): Tracked => ({
  spanId: makeId(),
  traceId: fields.string('trace_id') ?? makeId(),
  parentId: fields.string('parent_id') ?? null,
  conversationId: fields.string('conversation_id') ?? makeId(),
  conversationName: fields.string('conversation_name') ?? null,
  source: fields.string('source') ?? null,
});

/** `{name}` in texts is what the variable holds; names without one stay. */
function filled(messages: unknown[], variables: Readonly<Record<string, unknown>>): unknown[] {
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined) return whole;
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  return messages.map((message) => {
    const content = (message as { content?: unknown } | null)?.content;
    return typeof content === 'string' ? { ...(message as object), content: fill(content) } : message;
  });
}
