import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { type BlobsService, MAX_FILE_BYTES, UploadInterruptedError } from '@heddle/artifacts';
import { freeBytes, isBrokenTar, readTar, type TarEntry, textOf } from '@heddle/files';
import { ApiError } from '@heddle/http';
import { ArchiveEntryTooLargeError, ArchiveInvalidError, NoRoomForArchiveError } from '../archives.errors.js';
import {
  type ArchiveEnd,
  type ArchiveManifest,
  readEnd,
  readManifest,
  type TableTotals,
} from '../format/archive-manifest.js';
import { type EntryName, parseEntryName } from '../format/entry-name.js';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { manifest: MEBIBYTE, end: MEBIBYTE, rows: 16 * MEBIBYTE, file: MAX_FILE_BYTES } as const;
/** What stays free for everybody else. */
const RESERVED_BYTES = 64 * MEBIBYTE;

export interface ReceivedArchive {
  manifest: ArchiveManifest;
  /** How many rows of each table lie at {@link linesPath}. */
  rows: ReadonlyMap<string, number>;
}

export const linesPath = (folder: string, table: string): string => join(folder, `${table}.jsonl`);
export const contentsPath = (folder: string): string => join(folder, 'contents');

/**
 * Takes an archive as it comes: rows into a folder, contents into the store, one after the other. Whatever is wrong with it
 * shows here, before the database has seen a row.
 */
export class ArchiveReceiver {
  private manifest: ArchiveManifest | undefined;
  private end: ArchiveEnd | undefined;
  private table: { at: number; part: number; file: FileHandle; hash: Hash; rows: number } | undefined;
  private next = 0;
  private readonly found = new Map<string, TableTotals>();
  private contents: FileHandle | undefined;
  private files = 0;

  constructor(
    private readonly folder: string,
    private readonly known: ReadonlyMap<string, readonly string[]>,
    private readonly blobs: BlobsService,
  ) {}

  /** @throws ArchiveInvalidError | ArchiveEntryTooLargeError | NoRoomForArchiveError */
  async receive(source: Readable): Promise<ReceivedArchive> {
    const opened = leftOpen(source);
    try {
      for await (const entry of readTar(opened)) await this.read(entry);
      return this.finish();
    } catch (error) {
      const isCutOff =
        error instanceof UploadInterruptedError || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isCutOff && (error instanceof ApiError || !isBrokenTar(error))) throw error;
      throw new ArchiveInvalidError('This is no archive, or it was cut off', { cause: error });
    } finally {
      // A connection whose request nobody reads to its end is of no use for the next one.
      source.unpipe(opened).resume();
      opened.destroy();
      await this.table?.file.close();
      await this.contents?.close();
    }
  }

  private async read(entry: TarEntry): Promise<void> {
    const name = entry.type === 'file' ? parseEntryName(entry.name) : null;
    if (!name || this.end)
      throw new ArchiveInvalidError(`The archive holds '${entry.name}', which none of Heddle's has`);
    if (!this.manifest !== (name.kind === 'manifest'))
      throw new ArchiveInvalidError('An archive begins with its manifest.json, and has one');
    if (entry.size > LIMITS[name.kind]) throw new ArchiveEntryTooLargeError(entry.name, LIMITS[name.kind]);
    if ((await freeBytes(this.folder)) - entry.size < RESERVED_BYTES) throw new NoRoomForArchiveError();
    await this.take(name, entry);
  }

  private async take(name: EntryName, entry: TarEntry): Promise<void> {
    switch (name.kind) {
      case 'manifest':
        this.manifest = readManifest(await textOf(entry), this.known);
        return;
      case 'rows':
        return this.takeRows(name.table, name.part, entry);
      case 'file':
        await this.endRows();
        return this.takeFile(name.sha256, entry);
      case 'end':
        await this.endRows();
        this.end = readEnd(await textOf(entry));
    }
  }

  private async takeRows(name: string, part: number, { content }: TarEntry): Promise<void> {
    if (this.table && this.manifest!.tables[this.table.at]!.name !== name) await this.endTable();
    if (!this.table) {
      if (this.manifest!.tables[this.next]?.name !== name)
        throw new ArchiveInvalidError(`The archive's rows of ${name} are not where they belong`);
      const file = await open(linesPath(this.folder, name), 'wx', 0o600);
      this.table = { at: this.next++, part: 0, file, hash: createHash('sha256'), rows: 0 };
    }
    const { table } = this;
    if (table.part++ !== part) throw new ArchiveInvalidError(`The archive lacks a part of its rows of ${name}`);
    for await (const chunk of content as AsyncIterable<Buffer>) {
      table.hash.update(chunk);
      for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) table.rows++;
      await table.file.appendFile(chunk);
    }
  }

  private async endTable(): Promise<void> {
    const { at, file, hash, rows } = this.table!;
    this.table = undefined;
    await file.close();
    this.found.set(this.manifest!.tables[at]!.name, { rows, sha256: hash.digest('hex') });
  }

  private async endRows(): Promise<void> {
    if (this.table) await this.endTable();
    const missing = this.manifest!.tables[this.next];
    if (missing) throw new ArchiveInvalidError(`The archive lacks its rows of ${missing.name}`);
  }

  private async takeFile(sha256: string, { content, name }: TarEntry): Promise<void> {
    this.contents ??= await open(contentsPath(this.folder), 'wx', 0o600);
    const taken = await this.blobs.take(content);
    // Noted before it is looked at: whatever was taken is let go if all of it fails.
    await this.contents.appendFile(`${taken.sha256}\n`);
    if (taken.sha256 !== sha256) throw new ArchiveInvalidError(`The content of ${name} has another SHA-256`);
    this.files++;
  }

  private finish(): ReceivedArchive {
    const { manifest, end } = this;
    if (!manifest) throw new ArchiveInvalidError('This is no archive, or it was cut off');
    if (!end) throw new ArchiveInvalidError('The archive was cut off');
    for (const { name } of manifest.tables) {
      const [found, said] = [this.found.get(name)!, end.tables[name]];
      if (said?.rows !== found.rows || said.sha256 !== found.sha256)
        throw new ArchiveInvalidError(`The archive's rows of ${name} are not those that it was made with`);
    }
    if (end.files !== this.files) throw new ArchiveInvalidError('The archive lacks a file');
    return { manifest, rows: new Map([...this.found].map(([name, { rows }]) => [name, rows])) };
  }
}

/** A request's stream is the answer's connection too: it must outlive what is wrong with what came. */
function leftOpen(source: Readable): PassThrough {
  const opened = new PassThrough();
  const close = (): unknown => source.readableEnded || opened.destroy(new UploadInterruptedError());
  // Whoever left before it was read is told of no more.
  if (source.destroyed) close();
  else source.once('close', close);
  return source.pipe(opened);
}
