import { isMissing, systemErrorCode } from './system-error.js';

const failed = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open', path: '/a' });

describe('isMissing', () => {
  it('is true of a system call that found no such file', () => {
    expect(isMissing(failed('ENOENT'))).toBe(true);
  });

  it.each([
    [failed('EACCES')],
    [Object.assign(new Error(), { code: 'ENOENT' })],
    [new Error('ENOENT')],
    ['ENOENT'],
    [null],
    [undefined],
  ])('is false of anything else: %p', (error) => expect(isMissing(error)).toBe(false));
});

describe('systemErrorCode', () => {
  it('is the code of a failed system call, whichever class its error has', () => {
    expect(systemErrorCode(failed('EPERM'))).toBe('EPERM');
    expect(systemErrorCode({ syscall: 'kill', code: 'ESRCH' })).toBe('ESRCH');
  });
});
