import { describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresError, errorFromFileSystem, errorFromOutput } from './embedded-postgres.errors.js';

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: refused, mkdir '/data'`), { code, syscall: 'mkdir' });

describe('an error of the embedded database', () => {
  it('is one line, whatever a program printed', () => {
    const error = new EmbeddedPostgresError('INIT_FAILED', 'It failed:\n  because\nof this');
    expect(error.message).toBe('It failed: | because | of this');
  });

  it('ends in the last five lines that the program printed', () => {
    const error = errorFromOutput('START_FAILED', 'It ended', '1\n2\n3\n4\n5\n6\n');
    expect(error).toMatchObject({ code: 'START_FAILED', message: 'It ended: 2 | 3 | 4 | 5 | 6' });
  });

  it('says that there was no output', () => {
    expect(errorFromOutput('INIT_FAILED', 'It ended', '').message).toBe('It ended: no output');
  });

  it.each(['could not write to file "pg_wal": No space left on device', 'could not extend: Disk quota exceeded'])(
    'knows a full disk: %s',
    (output) => {
      expect(errorFromOutput('INIT_FAILED', 'It ended', output).code).toBe('DISK_FULL');
    },
  );

  it.each([
    ['EACCES', 'DIRECTORY_UNUSABLE'],
    ['ENOTDIR', 'DIRECTORY_UNUSABLE'],
    ['EROFS', 'DIRECTORY_UNUSABLE'],
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
  ])('names the directory when a file operation fails with %s, as %s', (code, expected) => {
    expect(errorFromFileSystem(systemError(code), '/data')).toMatchObject({
      code: expected,
      message: expect.stringContaining('/data'),
    });
  });

  it('does not dress up what is no file error', () => {
    const bug = new TypeError('bug');
    const known = new EmbeddedPostgresError('TIMEOUT', 'late');
    expect(errorFromFileSystem(bug, '/data')).toBe(bug);
    expect(errorFromFileSystem(known, '/data')).toBe(known);
  });
});
