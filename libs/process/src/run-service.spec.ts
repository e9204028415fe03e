import { describeStartFailure } from './run-service.js';

describe('describeStartFailure', () => {
  it('is one line for a misconfiguration', () => {
    const error = Object.assign(new Error('connect\n  refused'), { code: 'ECONNREFUSED' });
    expect(describeStartFailure(error)).toBe('connect refused');
  });

  it('is a line for each fault of a file', () => {
    const error = Object.assign(new Error('a b'), { code: 'invalid_file', lines: ['x.yaml: a', 'x.yaml: b'] });
    expect(describeStartFailure(error)).toBe('x.yaml: a\nx.yaml: b');
  });

  it('shows where a fault of ours is', () => {
    expect(describeStartFailure(new TypeError('oops'))).toContain('run-service.spec');
  });

  it('takes anything that was thrown', () => {
    expect(describeStartFailure('text')).toBe('text');
  });
});
