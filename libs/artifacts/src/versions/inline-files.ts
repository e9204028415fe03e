import { ValidationError } from '@heddle/http';
import type { InlineFileDto } from './version.dto.js';
import { checkFilePath } from '../files/file-path.js';

/** The contents of files that came inside a request, by path. @throws ValidationError for a bad or repeated path */
export function inlineContents(files: readonly InlineFileDto[]): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (const [index, { path, content }] of files.entries()) {
    const loc = ['body', 'files', index, 'path'];
    checkFilePath(path, loc);
    if (contents.has(path)) throw ValidationError.at(loc, 'is there twice', 'file_path', path);
    contents.set(path, Buffer.from(content, 'base64'));
  }
  return contents;
}
