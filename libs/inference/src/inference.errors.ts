import { EngineError } from '@heddle/engine';
import { ApiError, ClientLeftError, ParameterError } from '@heddle/http';

/** No such model or step, or another team's: nobody learns which. */
export class UnknownModelError extends ParameterError {
  constructor(message: string) {
    super('model', message, { code: 'model_not_found', status: 404 });
  }
}

export class TooManyRequestsError extends ApiError {
  constructor() {
    // The words that clients of the hosted service know. A place is free as soon as any request ends.
    super(429, 'rate_limit_exceeded', 'Concurrency limit reached for requests', { 'retry-after': '1' });
  }
}

/**
 * What an engine's error is to a client. Clients try a 503 again.
 * @param fields what the request calls that which is `messages` and `response_format` to the engine
 */
export function toApiError(
  error: unknown,
  left: AbortSignal,
  { promptField, formatField = 'response_format' }: { promptField: string; formatField?: string },
): unknown {
  if (left.aborted) return new ClientLeftError();
  if (!(error instanceof EngineError)) return error;
  const { code, message } = error;
  const param =
    error.param?.replace(/^messages(?=$|\[)/, promptField).replace(/^response_format$/, formatField) ?? null;
  switch (code) {
    case 'invalid_request':
      return new ParameterError(param, message);
    case 'context_length_exceeded':
      return new ParameterError(param, message, { code });
    case 'invalid_answer':
      // As other servers that check answers name it; clients don't try a 400 again by themselves.
      return new ParameterError(param, message, { code: 'json_validate_failed' });
    case 'bad_answer':
      return new ApiError(502, code, message, {}, { cause: error });
    case 'thread_died':
    case 'unavailable':
    case 'out_of_memory':
    case 'closed':
      return new ApiError(503, code, message, { 'retry-after': '1' }, { cause: error });
    case 'bad_model':
    case 'diverged':
    case 'cancelled':
      return new ApiError(500, code, message, {}, { cause: error });
  }
}
