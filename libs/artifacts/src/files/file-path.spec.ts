import { checkFilePath } from './file-path.js';

describe('checkFilePath', () => {
  it.each(['train.jsonl', 'a/b/c.bin', '...', '.hidden', 'ünïcode/文件', 'a b', '~', `${'a'.repeat(1024)}`])(
    'takes %j',
    (path) => {
      expect(checkFilePath(path, ['path'])).toBe(path);
    },
  );

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../a',
    'a/../b',
    'a/..',
    './a',
    'a//b',
    'a/',
    'a\\b',
    '..\\a',
    'C:/a',
    'c:a',
    'a\0b',
    'a\nb',
    '\ud800',
    'é'.repeat(513),
  ])('refuses %j, and names the place', (path) => {
    expect(() => checkFilePath(path, ['path', 'path'])).toThrow(
      expect.objectContaining({ detail: [expect.objectContaining({ loc: ['path', 'path'], type: 'file_path' })] }),
    );
  });
});
