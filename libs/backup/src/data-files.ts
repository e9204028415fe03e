import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isMissing, type TarEntry } from '@heddle/files';
import type { ArchiveWriter } from './archive.js';
import { BackupError } from './backup.errors.js';

/**
 * What DATA_DIR holds that can't be made again. Not there: the embedded database, logs, adapters and base models (which come
 * from artifacts and from the hub), states of running jobs; and never `secrets.key`: whoever has the backup must not have
 * the secrets.
 */
const FOLDERS = ['artifacts/sha256', 'trajectories'];

/** Files never change once they are there; a second name keeps one that is deleted while the backup runs. */
export class HeldFiles {
  private readonly folder: string;

  constructor(private readonly dataDir: string) {
    this.folder = join(dataDir, `backup-${process.pid}`);
  }

  /** Whatever is there by now. To be called before the database is looked at, and again after. */
  async hold(): Promise<void> {
    for (const folder of FOLDERS) {
      for await (const path of filesBelow(join(this.dataDir, folder))) {
        const held = join(this.folder, relative(this.dataDir, path));
        await mkdir(dirname(held), { recursive: true });
        await link(path, held).catch(ignoring('EEXIST', 'ENOENT'));
      }
    }
  }

  /** @param tell bytes that are written, of all */
  async writeTo(archive: ArchiveWriter, tell: (done: number, total: number) => void): Promise<number> {
    let [files, done, total] = [0, 0, 0];
    for await (const path of filesBelow(this.folder)) total += (await stat(path)).size;
    for await (const path of filesBelow(this.folder)) {
      const { size } = await stat(path);
      const name = relative(this.folder, path).split(sep).join('/');
      await archive.file(`files/${name}`, size, createReadStream(path));
      files++;
      tell((done += size), total);
    }
    return files;
  }

  async release(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Puts a file of an archive where it was. @throws BackupError for a name that no backup has */
export async function restoreFile(dataDir: string, { name, content }: TarEntry): Promise<void> {
  const path = name.slice('files/'.length);
  const isOurs = FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && !path.split('/').includes('..');
  if (!isOurs) throw new BackupError(`The archive holds ${name}, which no backup has`);
  const to = join(dataDir, path);
  const draft = `${to}.restoring`;
  await mkdir(dirname(to), { recursive: true });
  await pipeline(content, createWriteStream(draft, { flush: true, mode: 0o600 }));
  await rename(draft, to);
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* filesBelow(path);
      else if (entry.isFile()) yield path;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
