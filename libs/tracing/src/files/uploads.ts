import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
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
import { FileTooLargeError, UploadInterruptedError } from './files.errors.js';

const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const LIMITS = { files: 1, fields: 20, parts: 30, fieldSize: 64 * 1024 };
/** All that a form holds beside its file. */
const MAX_OTHER_BYTES = 2 * 1024 * 1024;

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
 * @throws FileTooLargeError as soon as the form is announced as larger, or is; nobody waits for what is still to come
 */
export async function withUpload<T>(
  request: IncomingMessage,
  work: (upload: Upload) => Promise<T>,
  maxBytes = MAX_FILE_BYTES,
): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_OTHER_BYTES)
    throw new FileTooLargeError(maxBytes);
  const path = join(tmpdir(), `heddle-upload-${randomUUID()}`);
  try {
    return await work(await receive(request, path, maxBytes));
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(request: IncomingMessage, path: string, maxBytes: number): Promise<Upload> {
  const fields = new Map<string, string>();
  let file: Promise<Pick<Upload, 'digest' | 'sizeBytes'>> | undefined;
  const failure = new AbortController();
  const fail = (error: unknown): void => failure.abort(error);
  const form = openForm(request, maxBytes);
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream) => {
    // Told by the form as well; one that nobody listens to would end the process.
    stream.on('error', () => undefined);
    stream.once('limit', () => fail(new FileTooLargeError(maxBytes)));
    if (name !== 'file' || file) return void stream.resume();
    file = save(stream, path);
    file.catch(fail);
  });
  form.on('error', (error: Error) =>
    fail(ValidationError.at(['body'], `Invalid multipart form: ${error.message}`, 'multipart_invalid')),
  );
  try {
    await feed(request, form, maxBytes, failure.signal);
    if (!file) throw ValidationError.at(['body', 'file'], 'file is required', 'missing');
    return { fields, path, ...(await file) };
  } catch (error) {
    form.destroy();
    // Nothing is written any more when this is over.
    await file?.catch(() => undefined);
    throw failure.signal.aborted ? failure.signal.reason : error;
  }
}

/** Gives the form all that comes. The request is left open whatever happens: it is the answer's connection, too. */
async function feed(
  request: IncomingMessage,
  form: busboy.Busboy,
  maxBytes: number,
  failure: AbortSignal,
): Promise<void> {
  const closed = once(form, 'close', { signal: failure });
  // Awaited below; a failure before then is told by what comes before.
  closed.catch(() => undefined);
  let read = 0;
  for await (const chunk of chunksOf(request)) {
    read += chunk.length;
    if (read > maxBytes + MAX_OTHER_BYTES) throw new FileTooLargeError(maxBytes);
    const takesMore = form.write(chunk);
    failure.throwIfAborted();
    if (!takesMore) await once(form, 'drain', { signal: failure });
  }
  form.end();
  await closed;
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw new UploadInterruptedError(error);
    });
    if (next.done) return;
    yield next.value;
  }
}

function openForm(request: IncomingMessage, maxBytes: number): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: { ...LIMITS, fileSize: maxBytes + 1 } });
  } catch {
    throw ValidationError.at(['body'], 'must be a multipart/form-data body', 'multipart_required');
  }
}

async function save(stream: Readable, path: string): Promise<{ digest: string; sizeBytes: number }> {
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
  return { digest: hashDigest(hash), sizeBytes };
}
