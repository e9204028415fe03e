import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ArtifactFilesRepository, FileStore } from '@heddle/artifacts';
import { waitOut } from '@heddle/database';
import type { SftExample } from '@heddle/engine';
import { TrainingDataError } from '../../training.errors.js';
import { sftExamplesOf } from './sft-lines.js';
import type { SftReference } from './sft-reference.js';
import { LineSplitter, LineTooLongError } from './text-lines.js';

/** Reads training data where artifacts keep it. */
@Injectable()
export class SftFilesReader {
  constructor(
    private readonly files: ArtifactFilesRepository,
    private readonly store: FileStore,
  ) {}

  /** The examples one by one. @throws TrainingDataError that names the line, or says that the data is gone or empty */
  async *examples(reference: SftReference): AsyncGenerator<SftExample> {
    const { url } = reference;
    const content = await waitOut(() => this.open(reference));
    if (!content) throw new TrainingDataError(`The training data ${url} was deleted`);
    let count = 0;
    for await (const example of sftExamplesOf(content)) {
      count++;
      yield example;
    }
    if (count === 0) throw new TrainingDataError(`The training data ${url} holds no example`);
  }

  /** Lines that are not blank; null where they can't be counted, of which the job will say why. */
  async countExamples(reference: SftReference): Promise<number | null> {
    const content = await this.open(reference);
    if (!content) return null;
    const splitter = new LineSplitter();
    let count = 0;
    const countIn = (lines: ReturnType<LineSplitter['add']>): void => {
      for (const { text } of lines) if (text.trim() !== '') count++;
    };
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) countIn(splitter.add(chunk));
      countIn(splitter.end());
      return count;
    } catch (error) {
      if (error instanceof LineTooLongError) return null;
      throw error;
    } finally {
      content.destroy();
    }
  }

  private async open({ versionId, path }: SftReference): Promise<Readable | null> {
    const file = await this.files.find(versionId, path);
    return file && this.store.open(file.sha256);
  }
}
