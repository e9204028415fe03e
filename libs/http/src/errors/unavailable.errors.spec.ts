import { unavailableFor } from './unavailable.errors.js';

const failure = (code: string): Error => Object.assign(new Error('password x'), { code });

describe('unavailableFor', () => {
  it('tells the client to come back when the database is away, and nothing of why', () => {
    const error = unavailableFor(failure('ECONNREFUSED'))!;
    expect(error).toMatchObject({ status: 503, code: 'database_unavailable', headers: { 'Retry-After': '5' } });
    expect(error.message).not.toContain('password');
  });

  it('tells of a full disk, whether of the database or of the files', () => {
    for (const code of ['53100', 'ENOSPC']) {
      expect(unavailableFor(failure(code))).toMatchObject({
        status: 503,
        code: 'storage_full',
        headers: { 'Retry-After': '60', connection: 'close' },
      });
    }
  });

  it('has nothing to say of a fault of ours', () => {
    expect(unavailableFor(new TypeError('x'))).toBeUndefined();
    expect(unavailableFor('text')).toBeUndefined();
  });
});
