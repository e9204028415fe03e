import { explain, HubFailure, HubStatusError } from './hub-failure.js';

describe('explain', () => {
  const asked = { id: 'team/model', revision: 'main', endpoint: 'https://hub.example', hasToken: false };
  const status = (code: number, headers: Record<string, string> = {}) =>
    HubStatusError.of(new Response(null, { status: code, headers }));

  it.each([
    [404, {}, false, 'the hub has no model team/model'],
    [404, { 'x-error-code': 'RevisionNotFound' }, false, "team/model has no revision 'main' on the hub"],
    [
      401,
      {},
      false,
      'the hub shows nobody team/model without a token (401): it is misspelt, or private and needs HF_TOKEN',
    ],
    [403, {}, true, 'the hub lets HF_TOKEN not read team/model (403)'],
    [
      403,
      { 'x-error-code': 'GatedRepo' },
      false,
      'accept its licence at https://hub.example/team/model and set HF_TOKEN',
    ],
    [403, { 'x-error-code': 'GatedRepo' }, true, 'with the account of HF_TOKEN'],
    [418, {}, false, 'the hub answers 418 at https://hub.example'],
  ])('%s %p (token: %p) is for its user to change', (code, headers, hasToken, message) => {
    const failure = explain(status(code, headers), { ...asked, hasToken });
    expect(failure.message).toContain(message);
    expect(failure.retry).toBe('never');
  });

  it.each([408, 429, 500, 503])('%s is tried again soon, or when the hub says', (code) => {
    expect(explain(status(code), asked)).toMatchObject({ retry: 'soon', retryAfterMs: null });
    expect(explain(status(code, { 'retry-after': '7' }), asked)).toMatchObject({ retryAfterMs: 7000 });
    expect(explain(status(code, { 'retry-after': 'Mon, 01 Jan' }), asked)).toMatchObject({ retryAfterMs: null });
  });

  it('tells a connection that failed from a disk that is full or read-only', () => {
    const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    expect(explain(refused, asked)).toMatchObject({
      message: 'the connection to https://hub.example failed: ECONNREFUSED',
      retry: 'soon',
    });
    expect(explain(Object.assign(new Error('no space'), { code: 'ENOSPC' }), asked)).toMatchObject({
      message: 'the disk of DATA_DIR is full',
      retry: 'later',
    });
    const denied = Object.assign(new Error("EACCES, open '/x'"), { code: 'EACCES', syscall: 'open', path: '/x' });
    expect(explain(denied, asked).message).toContain("DATA_DIR can't be written");
  });

  it('leaves alone what is explained already', () => {
    const failure = new HubFailure('why', 'twice');
    expect(explain(failure, asked)).toBe(failure);
  });
});
