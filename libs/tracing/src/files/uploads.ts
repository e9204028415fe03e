import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { ValidationError } from '@heddle/http';
import { hashDigest } from '../objects/digest.js';
import { FileTooLargeError } from './files.errors.js';

const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const LIMITS = { files: 1, fields: 20, parts: 30, fieldSize: 64 * 1024, fileSize: MAX_FILE_BYTES };

/** A file that was received: its bytes lie in a temporary file while they are worked on. */
export interface Upload {
  fields: ReadonlyMap<string, string>;
  path: string;
  digest: string;
  sizeBytes: number;
}

/**
 * Receives a multipart form with one part `file`, in any order, and removes the temporary file after `work`. A slow
 * client holds nothing but that file: the database is not touched before the last byte is here.
 */
export async function withUpload<T>(request: IncomingMessage, work: (upload: Upload) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `heddle-upload-${randomUUID()}`);
  try {
    return await work(await receive(request, path));
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(request: IncomingMessage, path: string): Promise<Upload> {
  const fields = new Map<string, string>();
  let file: Promise<Pick<Upload, 'digest' | 'sizeBytes'>> | undefined;
  const form = openForm(request);
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream) => {
    if (name !== 'file' || file) return void stream.resume();
    file = save(stream, path);
    // Awaited below; a failure before then is not an unhandled one.
    file.catch(() => request.unpipe(form).resume());
  });
  try {
    await pipeline(request, form);
  } catch (error) {
    await file?.catch(() => undefined);
    if (request.destroyed && !request.complete) throw error;
    throw ValidationError.at(['body'], `Invalid multipart form: ${(error as Error).message}`, 'multipart_invalid');
  }
  if (!file) throw ValidationError.at(['body', 'file'], 'file is required', 'missing');
  return { fields, path, ...(await file) };
}

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: LIMITS });
  } catch {
    throw ValidationError.at(['body'], 'must be a multipart/form-data body', 'multipart_required');
  }
}

async function save(
  stream: Readable & { truncated?: boolean },
  path: string,
): Promise<{ digest: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(stream, measured, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (stream.truncated) throw new FileTooLargeError(MAX_FILE_BYTES);
  return { digest: hashDigest(hash), sizeBytes };
}
