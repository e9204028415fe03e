import { ApiError, NotFoundError, ParameterError, ValidationError } from './api-error.js';
import { dialectOf, errorBody } from './error-body.js';

describe('dialectOf', () => {
  it.each([
    ['/v1/chat/completions', 'openai'],
    ['/v1/chat/completions/', 'openai'],
    ['/v1/models', 'openai'],
    ['/v1/models/heddle/shuttle-1m', 'openai'],
    ['/v1/completions', 'openai'],
    ['/v1/embeddings', 'openai'],
    ['/v1/responses/resp_1/input_items', 'openai'],
    ['/tokenize', 'openai'],
    ['/detokenize', 'openai'],
    ['/v1/preview/models', 'detail'],
    ['/v1/chat/completions-of-others', 'detail'],
    ['/health/live', 'detail'],
    ['/call/read', 'reason'],
    ['/graphql', 'graphql'],
    ['/graphql/schema', 'reason'],
    ['/v2/team/project/calls/complete', 'reason'],
    ['/v1x', 'reason'],
  ])('answers %s in the form that its clients read: %s', (path, dialect) => {
    expect(dialectOf(path)).toBe(dialect);
  });
});

describe('errorBody', () => {
  const missing = new NotFoundError('No such model', 'model_not_found');
  const invalid = ValidationError.at(['body', 'reward', 0], 'must be finite', 'finite_number', 'NaN');

  it('gives our own routes detail, a stable code and the request id', () => {
    expect(errorBody(missing, 'detail', 'r1')).toEqual({
      detail: 'No such model',
      code: 'model_not_found',
      request_id: 'r1',
    });
  });

  it('gives the tracing SDKs a reason', () => {
    expect(errorBody(missing, 'reason', 'r1')).toEqual({
      reason: 'No such model',
      code: 'model_not_found',
      request_id: 'r1',
    });
  });

  it('gives clients of GraphQL a reason, and the message where they look for it', () => {
    const common = { errors: [{ message: 'No such model' }], code: 'model_not_found', request_id: 'r1' };
    expect(errorBody(missing, 'graphql', 'r1')).toEqual({ reason: 'No such model', ...common });
    expect(errorBody(invalid, 'graphql', 'r1')).toMatchObject({
      detail: [{ msg: 'must be finite' }],
      errors: [{ message: 'must be finite' }],
    });
  });

  it('gives OpenAI clients an error object with its type', () => {
    expect(errorBody(missing, 'openai', 'r1')).toEqual({
      error: { message: 'No such model', type: 'invalid_request_error', param: null, code: 'model_not_found' },
    });
    expect(errorBody(new ApiError(429, 'rate_limited', 'Slow down'), 'openai', '')).toMatchObject({
      error: { type: 'rate_limit_error' },
    });
    expect(errorBody(new ApiError(500, 'internal_error', 'Oops'), 'openai', '')).toMatchObject({
      error: { type: 'server_error' },
    });
  });

  it('names the parameter in the way of OpenAI', () => {
    const error = new ParameterError('messages[0].role', 'messages[0].role must be a string');
    expect(errorBody(error, 'openai', '')).toEqual({
      error: {
        message: error.message,
        type: 'invalid_request_error',
        param: 'messages[0].role',
        code: 'invalid_value',
      },
    });
  });

  it('names the place of a validation failure in strings, indices too', () => {
    const detail = [{ loc: ['body', 'reward', '0'], msg: 'must be finite', type: 'finite_number', input: 'NaN' }];
    expect(errorBody(invalid, 'detail', 'r1')).toMatchObject({ detail });
    expect(errorBody(invalid, 'reason', 'r1')).toMatchObject({ detail });
    expect(errorBody(invalid, 'openai', 'r1')).toMatchObject({ error: { param: 'reward.0' } });
  });
});
