import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * An answer that is written as it is read. What goes wrong before its first piece is an ordinary error answer; after
 * that the connection is cut, so that half an answer can't be taken for a whole one.
 * @param length in bytes, where it is known
 */
export async function streamedAnswer(
  pieces: AsyncGenerator<Buffer, void>,
  type: string,
  length?: number,
): Promise<StreamableFile> {
  const first = await pieces.next();
  const stream = Readable.from(continued(first, pieces), { objectMode: false });
  const file = new StreamableFile(stream, { type, ...(length === undefined ? {} : { length }) });
  file.setErrorHandler((_error, response) => {
    // Types name only what plain HTTP responses share; at run time it is one.
    (response as unknown as { destroy(): void }).destroy();
  });
  return file;
}

async function* continued(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
