import { describeStartFailure } from './start-failure.js';

describe('describeStartFailure', () => {
  it('is one line for a misconfiguration', () => {
    const error = Object.assign(new Error('connect\n  refused'), { code: 'ECONNREFUSED' });
    expect(describeStartFailure(error)).toBe('connect refused');
  });

  it('is a line for each fault of a file', () => {
    const error = Object.assign(new Error('a b'), { code: 'invalid_file', lines: ['x.yaml: a', 'x.yaml: b'] });
    expect(describeStartFailure(error)).toBe('x.yaml: a\nx.yaml: b');
  });

  it.each([
    ['EADDRINUSE', /in use: 127\.0\.0\.1:80\b.*WORKER_PORT/],
    ['EACCES', /^Port 80 on 127\.0\.0\.1 .*WORKER_PORT/],
    ['EADDRNOTAVAIL', /^127\.0\.0\.1 .*HOST$/],
  ])('names the setting of an address that can not be listened on: %s', (code, line) => {
    const fields = { code, syscall: 'listen', address: '127.0.0.1', port: 80 };
    expect(describeStartFailure(Object.assign(new Error('listen'), fields), 'WORKER_PORT')).toMatch(line);
  });

  it('shows where a fault of ours is', () => {
    expect(describeStartFailure(new TypeError('oops'))).toContain('start-failure.spec');
  });

  it('takes anything that was thrown', () => {
    expect(describeStartFailure('text')).toBe('text');
  });
});
