import { ValidationError } from '@heddle/http';

const MAX_BYTES = 1024;

/**
 * Checks the path of a file inside a version, as a client will write it below a directory of its own: relative, with
 * slashes, and with no way out.
 * @param loc where the path stands in the request, for the error
 */
export function checkFilePath(path: string, loc: (string | number)[]): string {
  const refuse = (msg: string): never => {
    throw ValidationError.at(loc, msg, 'file_path', path);
  };
  if (path.length === 0 || Buffer.byteLength(path) > MAX_BYTES) refuse(`A path has 1 to ${MAX_BYTES} bytes`);
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) refuse('A path has neither backslashes nor unprintable characters');
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    refuse("A path is relative, and has no empty, '.' or '..' part");
  }
  if (/^[A-Za-z]:/.test(path)) refuse('A path names no drive');
  return path;
}
