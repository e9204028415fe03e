import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ArtifactReader } from '../versions/artifact.reader.js';
import type { StoredFile } from './artifact-files.repository.js';
import { RangeNotSatisfiableError } from '../artifacts.errors.js';
import type { ByteRange } from '@heddle/storage';

/**
 * Answers with a file: as a whole, the one range that is asked for, where to download it, or nothing where the client has it
 * already.
 */
export async function sendFile(
  request: Request,
  response: Response,
  reader: ArtifactReader,
  file: StoredFile,
): Promise<StreamableFile | undefined> {
  response.set({ etag: `"${file.sha256}"`, 'x-content-sha256': file.sha256, 'accept-ranges': 'bytes' });
  if (isKnown(request, file)) {
    response.status(304);
    return undefined;
  }
  const link = await reader.linkTo(file);
  if (link !== null) {
    response.status(302).set({ location: link, 'cache-control': 'no-store' });
    return undefined;
  }
  const range = rangeOf(request, file);
  if (range) {
    response.status(206).set('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  return new StreamableFile(await reader.openFile(file, range), {
    // Whatever it is, it is nothing to show inside our origin.
    type: 'application/octet-stream',
    disposition: `attachment; filename*=UTF-8''${encodeURIComponent(file.path.split('/').at(-1)!)}`,
    length: range ? range.end - range.start + 1 : file.size,
  });
}

/** Express's `fresh` would believe a `no-cache` that clients send with every condition; the digest can't be stale. */
const isKnown = (request: Request, { sha256 }: StoredFile): boolean =>
  (request.get('if-none-match') ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${sha256}"`);

/** Several ranges at once are answered with the whole, as the standard allows, and so is one of another content. */
function rangeOf(request: Request, { size, sha256 }: StoredFile): ByteRange | undefined {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== `"${sha256}"`) return undefined;
  const ranges = request.range(size);
  if (ranges === -1) throw new RangeNotSatisfiableError(size);
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
