import { unknownRouteBody } from './error-body.js';
import { UnknownRouteError } from './unknown-route.error.js';

describe('UnknownRouteError', () => {
  const message = (method: string, path: string): string => new UnknownRouteError(method, path).message;

  it('says what was asked for', () => {
    expect(message('GET', '/v1/batches')).toBe('There is no route GET /v1/batches');
    expect(message('GET', '/v1/chat/completions')).toBe('There is no route GET /v1/chat/completions');
  });

  it.each(['/chat/completions', '/v1/v1/chat/completions', '/openai/v1/chat/completions', '/models', '/responses/'])(
    'tells an OpenAI client with another base URL what it must be: %s',
    (path) => {
      expect(message('POST', path)).toContain(`There is no route POST ${path}. A client's base URL must end in '/v1'`);
    },
  );

  it('does not repeat a path of any length', () => {
    expect(message('GET', `/${'x'.repeat(5000)}`).length).toBeLessThan(300);
  });

  it('is read by clients of every kind', () => {
    const error = new UnknownRouteError('GET', '/v1/batches');
    const read = {
      code: 'route_not_found',
      request_id: 'r1',
      error: { message: error.message, type: 'invalid_request_error' },
    };
    expect(unknownRouteBody(error, '/v1/batches', 'r1')).toMatchObject({ ...read, detail: error.message });
    expect(unknownRouteBody(error, '/calls/all', 'r1')).toMatchObject({ ...read, reason: error.message });
    expect(unknownRouteBody(error, '/v1/models/a/b', 'r1')).toEqual({ error: expect.any(Object) });
  });
});
