import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ArtifactFilesRepository, FileStore } from '@heddle/artifacts';
import { Env } from '@heddle/config';
import { AdapterFolder } from './adapter-folder.js';
import { ADAPTER_FILES, isNeeded } from './adapter-files.js';
import { AdapterDamagedError, NotAnAdapterError } from './checkpoints.errors.js';

/** Adapters on this disk, beside their artifacts: the least recently used go beyond it. */
const MAX_BYTES = 4 * 1024 ** 3;

/** While somebody holds a directory its use is noted so often: the rollouts of a training step are hundreds a second. */
const NOTED_EVERY_MS = 5_000;

interface Hold {
  holders: number;
  /** When it was last seen to be there, in milliseconds since 1970; 0 before that. */
  notedAt: number;
  /** Whether the checkpoint was deleted meanwhile: the directory goes with the last holder. */
  isDeleted: boolean;
}

/** A directory that stays until it is released. */
export interface AdapterLease {
  directory: string;
  release(): void;
}

/**
 * Directories of adapters for the engine, DATA_DIR/adapters/<artifact version>: artifacts lie by digest, and the engine
 * wants `adapter_config.json` and its files beside each other. A directory is there whole or not at all, never changes,
 * and may go when nobody uses it: it is made again from the artifact. Processes on one machine share them.
 */
@Injectable()
export class AdapterStore {
  private readonly logger = new Logger(AdapterStore.name);
  private readonly folder: AdapterFolder;
  private readonly held = new Map<string, Hold>();
  private readonly making = new Map<string, Promise<void>>();

  constructor(
    env: Env,
    private readonly files: ArtifactFilesRepository,
    private readonly store: FileStore,
  ) {
    this.folder = new AdapterFolder(join(env.DATA_DIR, 'adapters'), MAX_BYTES);
  }

  /** @throws NotAnAdapterError for a version that lacks a file */
  async open(versionId: string): Promise<AdapterLease> {
    const hold = this.held.get(versionId) ?? { holders: 0, notedAt: 0, isDeleted: false };
    this.held.set(versionId, hold);
    hold.holders++;
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.letGo(versionId);
      isOpen = false;
    };
    try {
      if (Date.now() - hold.notedAt >= NOTED_EVERY_MS) {
        if (!(await this.folder.touch(versionId))) await this.makeOnce(versionId);
        hold.notedAt = Date.now();
      }
      return { directory: this.folder.pathOf(versionId), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Whether this process serves or trains from it at this moment. */
  isHeld(versionId: string): boolean {
    return this.held.has(versionId);
  }

  /** Takes a directory that has just become a version; it saves making it again. */
  async adopt(versionId: string, directory: string): Promise<void> {
    try {
      await this.folder.place(directory, versionId);
      this.trim();
    } catch (error) {
      this.logger.warn({ err: error, versionId }, 'an adapter could not be kept where it was trained');
    }
  }

  /** Of deleted checkpoints. Whoever holds one in this process keeps it until the end. */
  async remove(versionIds: Iterable<string>): Promise<void> {
    for (const versionId of versionIds) {
      const hold = this.held.get(versionId);
      if (hold) hold.isDeleted = true;
      else await this.folder.remove(versionId);
    }
  }

  private letGo(versionId: string): void {
    const hold = this.held.get(versionId)!;
    if (--hold.holders > 0) return;
    this.held.delete(versionId);
    if (!hold.isDeleted) return;
    this.folder.remove(versionId).catch((error: unknown) => {
      this.logger.warn({ err: error, versionId }, 'the adapter of a deleted checkpoint is still there');
    });
  }

  /** Of many that ask for it at once one makes it. */
  private async makeOnce(versionId: string): Promise<void> {
    let made = this.making.get(versionId);
    if (!made) {
      made = this.make(versionId).finally(() => this.making.delete(versionId));
      this.making.set(versionId, made);
    }
    await made;
  }

  private async make(versionId: string): Promise<void> {
    const incoming = await this.folder.incoming();
    try {
      const copied: string[] = [];
      for (const name of ADAPTER_FILES) {
        if (await this.copy(versionId, name, join(incoming, name))) copied.push(name);
      }
      // Without what training goes on with it is no checkpoint of ours.
      if (copied.every(isNeeded)) throw new NotAnAdapterError(ADAPTER_FILES.find((name) => !isNeeded(name))!);
      await this.folder.place(incoming, versionId);
    } finally {
      await rm(incoming, { recursive: true, force: true });
    }
    this.trim();
  }

  /** @returns false where a file that may be absent is */
  private async copy(versionId: string, name: string, to: string): Promise<boolean> {
    const file = await this.files.find(versionId, name);
    const content = file && (await this.store.open(file.sha256));
    if (!file && !isNeeded(name)) return false;
    if (!content) throw new NotAnAdapterError(name);
    const hash = createHash('sha256');
    const hashed = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(content, hashed, createWriteStream(to, { flags: 'wx' }));
    // The store may be on another machine, and nobody looks at the copy again.
    if (hash.digest('hex') !== file.sha256) throw new AdapterDamagedError(name);
    return true;
  }

  private trim(): void {
    this.folder
      .trim((versionId) => this.isHeld(versionId))
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'adapters could not be cleared away');
      });
  }
}
