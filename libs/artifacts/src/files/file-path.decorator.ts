import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { checkFilePath } from './file-path.js';

/** The rest of the URL behind `files/`, checked. Each part is decoded by itself: an encoded slash is a slash. */
export const FilePath = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { path } = context.switchToHttp().getRequest<Request>().params as { path?: string | string[] };
  return checkFilePath([path ?? []].flat().join('/'), ['path', 'path']);
});
