import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { TrajectoryLog } from '@heddle/database';

/**
 * A log with its groups as they were sent, written as it is read. What goes wrong before the first piece is an ordinary error
 * answer; after that the connection is cut, so that half an answer can't be taken for a whole one.
 */
export async function streamedLog(log: TrajectoryLog, groups: AsyncGenerator<Buffer, void>): Promise<StreamableFile> {
  const first = await groups.next();
  const stream = Readable.from(answer(log, first, groups), { objectMode: false });
  const file = new StreamableFile(stream, { type: 'application/json' });
  file.setErrorHandler((_error, response) => {
    // Types name only what plain HTTP responses share; at run time it is one.
    (response as unknown as { destroy(): void }).destroy();
  });
  return file;
}

async function* answer(
  { id, split, step }: TrajectoryLog,
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  try {
    yield Buffer.from(`${JSON.stringify({ id, split, step }).slice(0, -1)},"trajectory_groups":[`);
    if (!first.done) yield first.value;
    yield* rest;
    yield Buffer.from(']}');
  } finally {
    // Also where nobody reads to the end.
    await rest.return();
  }
}
