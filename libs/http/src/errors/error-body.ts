import { type ApiError, ParameterError, ValidationError } from './api-error.js';

/** The form that a route's clients read: ours, the tracing SDKs' `reason`, that and GraphQL's `errors`, or OpenAI's `error`. */
export type ErrorDialect = 'detail' | 'reason' | 'graphql' | 'openai';

/** By path, since a body that can't be read or a route that doesn't exist has no handler to ask. */
export function dialectOf(path: string): ErrorDialect {
  if (/^\/(v1\/(chat\/completions|completions|embeddings|models|responses)|(de)?tokenize)(\/|$)/.test(path))
    return 'openai';
  if (/^\/graphql\/?$/.test(path)) return 'graphql';
  return /^\/(v1|health|docs|openapi\.json|metrics)(\/|$)/.test(path) ? 'detail' : 'reason';
}

/** What the client reads. Validation failures keep `detail` in every dialect but OpenAI's. */
export function errorBody(error: ApiError, dialect: ErrorDialect, requestId: string): Record<string, unknown> {
  if (dialect === 'openai') return openAiError(error);
  // The SDKs show their users this message, where a key is refused or nothing is served.
  const errors = dialect === 'graphql' && { errors: [{ message: error.message }] };
  const common = { ...errors, code: error.code, request_id: requestId, ...error.members };
  if (error instanceof ValidationError) return { detail: error.detail, ...common };
  return dialect === 'detail' ? { detail: error.message, ...common } : { reason: error.message, ...common };
}

/** Clients of every kind may ask for what isn't there, those of OpenAI's API for what this server doesn't have. */
export function unknownRouteBody(error: ApiError, path: string, requestId: string): Record<string, unknown> {
  return { ...errorBody(error, dialectOf(path), requestId), ...openAiError(error) };
}

/** What OpenAI's clients read, as an answer's body and as an event in a stream. */
export function openAiError(error: ApiError): { error: OpenAiError } {
  const { message, status, code } = error;
  return { error: { message, type: openAiType(status), param: paramOf(error), code } };
}

export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

function paramOf(error: ApiError): string | null {
  if (error instanceof ParameterError) return error.param;
  return error instanceof ValidationError ? (error.detail[0]?.loc.slice(1).join('.') ?? null) : null;
}

function openAiType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
