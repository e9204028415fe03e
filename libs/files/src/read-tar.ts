import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';

export interface TarEntry {
  name: string;
  /** In bytes. */
  size: number;
  /** `file`, or what no archive of ours holds. */
  type: string;
  /** To be read before the next entry comes. */
  content: Readable;
}

/** Entry by entry; what is wrong with the source shows while it, or an entry's content, is read. */
export async function* readTar(source: Readable, ...through: Transform[]): AsyncGenerator<TarEntry> {
  const tar = extract();
  const reading = pipeline([source, ...through, tar]);
  reading.catch(() => undefined);
  for await (const entry of tar) {
    const { name, size, type } = entry.header;
    // The entry is a stream of another library.
    const content = Readable.from(entry as AsyncIterable<Buffer>, { objectMode: false });
    yield { name, size: size ?? 0, type: type ?? 'file', content };
    entry.resume();
  }
  await reading;
}

export async function textOf({ content }: Pick<TarEntry, 'content'>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a tar can't be read: it is none, or was cut off. */
export const isBrokenTar = (error: unknown): boolean =>
  /\btar\b|end of (data|file)|Premature/i.test(error instanceof Error ? error.message : '');
