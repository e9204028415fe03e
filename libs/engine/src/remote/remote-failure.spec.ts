import { answerProblem, connectionProblem, isUnsent, RefusedError, SlowAnswerError } from './remote-failure.js';

const remote = { server: { name: 'the trainer' }, host: 'gpu-1:8000' };
const problemOf = (status: number, body: string) => answerProblem(remote, new Response(body, { status }), 'x');
const withCause = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });

describe('an answer that is no success', () => {
  it.each([
    [500, 'unavailable'],
    [503, 'unavailable'],
    [429, 'unavailable'],
    [410, 'unavailable'],
    [400, 'bad_answer'],
    [404, 'bad_answer'],
    [422, 'bad_answer'],
  ])('of status %i is %s', async (status, code) => {
    expect(await problemOf(status, '')).toMatchObject({ code, status });
  });

  it.each([
    ['{"detail": "no room"}', 'no room'],
    ['{"error": {"message": "no room"}}', 'no room'],
    ['{"detail": [{"loc": ["body"]}]}', '[{"loc":["body"]}]'],
    ['no room', 'no room'],
  ])('is told in the words of %s', async (body, words) => {
    expect((await problemOf(400, body)).message).toBe(`the trainer at gpu-1:8000 answered x with 400: ${words}`);
  });

  it('is cut where it is long', async () => {
    expect((await problemOf(500, 'x'.repeat(9000))).message.length).toBeLessThan(600);
  });

  it('says of a key that it is refused, and nothing of what the key is', async () => {
    const problem = await problemOf(401, 'the key tml-secret is wrong');
    expect(problem).toBeInstanceOf(RefusedError);
    expect(problem.message).toBe('the trainer at gpu-1:8000 refuses the key (401)');
  });
});

describe('a connection', () => {
  it('that never was has sent nothing', () => {
    expect(isUnsent(withCause('ECONNREFUSED'))).toBe(true);
    expect(isUnsent(withCause('ECONNRESET'))).toBe(false);
    expect(connectionProblem(remote, withCause('ENOTFOUND')).message).toBe(
      "the trainer at gpu-1:8000 can't be reached (ENOTFOUND)",
    );
  });

  it('that broke may have brought it there', () => {
    expect(connectionProblem(remote, withCause('UND_ERR_SOCKET')).message).toMatch(/broke off \(UND_ERR_SOCKET\)/);
  });

  it('that is slow is told apart', () => {
    const timeout = new DOMException('', 'TimeoutError');
    expect(connectionProblem(remote, timeout)).toBeInstanceOf(SlowAnswerError);
  });
});
