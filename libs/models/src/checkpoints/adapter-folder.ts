import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, systemErrorCode } from '@heddle/files';

/** Nothing that was used since is removed: somebody may be about to read it. */
const IDLE_MS = 10 * 60_000;
/** After which what begins with a dot is some dead process's. */
const ABANDONED_MS = 3_600_000;

interface Kept {
  name: string;
  bytes: number;
  usedAt: number;
}

/** Directories that are there whole or not at all; when one was last used is the time of its last change. */
export class AdapterFolder {
  private trimming: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
  ) {}

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Notes the use. @returns false where there is none of that name */
  async touch(name: string): Promise<boolean> {
    const now = new Date();
    return utimes(this.pathOf(name), now, now).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
  }

  /** A new empty directory, to be filled and placed. */
  async incoming(): Promise<string> {
    const path = this.pathOf(`.incoming-${randomUUID()}`);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Moves a directory here. One that somebody else has placed under the same name is as good. */
  async place(directory: string, name: string): Promise<void> {
    await mkdir(this.path, { recursive: true });
    try {
      await rename(directory, this.pathOf(name));
    } catch (error) {
      if (!isThere(error)) throw error;
    }
    await this.touch(name);
  }

  /** At once for whoever looks for it, though its files may take longer. */
  async remove(name: string): Promise<void> {
    const trash = this.pathOf(`.trash-${randomUUID()}`);
    try {
      await rename(this.pathOf(name), trash);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await rm(trash, { recursive: true, force: true });
  }

  /** Removes the least recently used until the rest has at most the bytes that are allowed. */
  async trim(isHeld: (name: string) => boolean): Promise<void> {
    this.trimming ??= this.trimNow(isHeld).finally(() => (this.trimming = undefined));
    await this.trimming;
  }

  private async trimNow(isHeld: (name: string) => boolean): Promise<void> {
    const now = Date.now();
    const kept = await this.list();
    let bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
    for (const { name, bytes: size, usedAt } of kept.sort((a, b) => a.usedAt - b.usedAt)) {
      if (name.startsWith('.')) {
        if (now - usedAt > ABANDONED_MS) await rm(this.pathOf(name), { recursive: true, force: true });
      } else if (bytes > this.maxBytes && now - usedAt > IDLE_MS && !isHeld(name)) {
        await this.remove(name);
        bytes -= size;
      }
    }
  }

  private async list(): Promise<Kept[]> {
    const kept: Kept[] = [];
    for (const name of await readdir(this.path)) {
      const path = this.pathOf(name);
      const usedAt = (await stat(path).catch(() => null))?.mtimeMs;
      if (usedAt === undefined) continue;
      const files = await readdir(path).catch(() => []);
      const sizes = await Promise.all(
        files.map(async (file) => (await stat(join(path, file)).catch(() => null))?.size ?? 0),
      );
      kept.push({ name, usedAt, bytes: sizes.reduce((sum, size) => sum + size, 0) });
    }
    return kept;
  }
}

/** Windows says EPERM. */
const isThere = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(systemErrorCode(error) ?? '');
