import { jest } from '@jest/globals';
import { type ArgumentsHost, BadGatewayException, Logger } from '@nestjs/common';
import { ApiError, ValidationError } from './api-error.js';
import { ErrorFilter } from './error.filter.js';

describe('ErrorFilter', () => {
  let path: string;
  const response = { headersSent: false, destroy: jest.fn(), status: jest.fn(), set: jest.fn(), json: jest.fn() };
  response.status.mockReturnValue(response);
  response.set.mockReturnValue(response);
  const host = {
    switchToHttp: () => ({ getRequest: () => ({ path, headers: {}, complete: true }), getResponse: () => response }),
  } as unknown as ArgumentsHost;
  const log = {
    warn: jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined),
    error: jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined),
  };
  const answerTo = (thrown: unknown): unknown[] => {
    new ErrorFilter().catch(thrown, host);
    return [response.status.mock.lastCall![0], response.set.mock.lastCall![0], response.json.mock.lastCall![0]];
  };
  beforeEach(() => {
    jest.clearAllMocks();
    response.headersSent = false;
    path = '/v1/preview/models';
  });
  afterAll(() => jest.restoreAllMocks());

  it('answers a named error with its status, code and headers, and logs nothing of it', () => {
    const [status, headers, body] = answerTo(new ApiError(409, 'taken', 'The name is taken', { 'x-why': 'name' }));
    expect([status, headers]).toEqual([409, { 'x-why': 'name' }]);
    expect(body).toMatchObject({ detail: 'The name is taken', code: 'taken' });
    expect(log.warn).not.toHaveBeenCalled();
    expect(log.error).not.toHaveBeenCalled();
  });

  it("refuses what is not valid with 422, and with 400 where OpenAI's clients ask", () => {
    const invalid = ValidationError.at(['query', 'limit'], 'must be an integer', 'int_parsing');
    expect(answerTo(invalid)[0]).toBe(422);
    path = '/v1/responses/resp_1';
    expect(answerTo(invalid)).toMatchObject([400, {}, { error: { param: 'limit', type: 'invalid_request_error' } }]);
  });

  it('shows nothing of a fault of ours, and logs it whole', () => {
    const fault = new TypeError("password 'x' is not a function");
    const [status, , body] = answerTo(fault);
    expect(status).toBe(500);
    expect(body).toMatchObject({ detail: 'Internal server error', code: 'internal_error' });
    expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ err: fault }), 'request failed');
  });

  it('warns in one line of a 503 that was meant', () => {
    answerTo(new ApiError(503, 'base_model_downloading', 'smol is being downloaded (3 %)'));
    expect(log.warn).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'base_model_downloading' }),
      'smol is being downloaded (3 %)',
    );
    expect(log.error).not.toHaveBeenCalled();
  });

  it('says in one line that the database is away: every request of an outage would show the same way there', () => {
    const [status, headers] = answerTo(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    expect([status, headers]).toEqual([503, { 'Retry-After': '5' }]);
    expect(log.error).not.toHaveBeenCalled();
    const reason = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
    expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ reason }), expect.any(String));
  });

  it.each([
    ['has a cause', new ApiError(503, 'thread_died', 'a thread ended', {}, { cause: new Error('killed') })],
    ['is of Nest', new BadGatewayException()],
  ])('logs a failure whole that %s', (_, fault) => {
    answerTo(fault);
    expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ err: fault }), 'request failed');
  });

  it('cuts an answer that has begun: half of it must not look whole', () => {
    response.headersSent = true;
    new ErrorFilter().catch(new Error('late'), host);
    expect(response.destroy).toHaveBeenCalled();
    expect(response.json).not.toHaveBeenCalled();
  });
});
