import type { Readable } from 'node:stream';
import type { SftExample } from '@heddle/engine';
import { TrainingDataError } from '../../training.errors.js';
import { problemText, readSftLine } from './sft-line.js';
import { LineSplitter, LineTooLongError, type TextLine } from './text-lines.js';

/** The examples of a JSONL file, one by one. @throws TrainingDataError that names the line */
export async function* sftExamplesOf(file: Readable): AsyncGenerator<SftExample> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) yield* examplesIn(splitter.add(chunk));
    yield* examplesIn(splitter.end());
  } catch (error) {
    if (error instanceof LineTooLongError) throw new TrainingDataError(`Line ${error.line} ${error.message}`);
    throw error;
  } finally {
    file.destroy();
  }
}

function* examplesIn(lines: Iterable<TextLine>): Generator<SftExample> {
  for (const line of lines) {
    const read = readSftLine(line);
    if (read && 'problem' in read) throw new TrainingDataError(problemText(read.problem));
    if (read) yield read.example;
  }
}
