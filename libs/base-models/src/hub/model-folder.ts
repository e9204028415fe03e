import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWholeFile } from '@heddle/engine';
import { isMissing } from '@heddle/files';
import { isIntact } from './checksum.js';
import type { HubFile } from './hub-client.js';

export interface ManifestFile extends HubFile {
  /** As it was when the checksum was right: a file with the same one is not read again. */
  mtimeMs: number;
}

/** Written last, once every file is there, right and on the disk: what has none is not a model yet. */
export interface Manifest {
  id: string;
  revision: string;
  commit: string;
  files: ManifestFile[];
}

/** `missing`: not whole yet. Else the names of files that are not as they were downloaded. */
export type Inspection = 'whole' | 'missing' | { damaged: string[] };

const MANIFEST = '.manifest.json';
const PART = /^\..*\.part$/;

/** The folder under DATA_DIR/base-models of a model from the hub, which also is what the engine reads. */
export class ModelFolder {
  readonly path: string;

  constructor(
    /** DATA_DIR/base-models */
    private readonly root: string,
    readonly id: string,
    readonly revision: string,
  ) {
    this.path = join(root, id.replaceAll('/', '--'), encodeURIComponent(revision));
  }

  get manifestPath(): string {
    return this.fileOf(MANIFEST);
  }

  /** @param oid part of the name, so that an interrupted download goes on with the same content or not at all */
  partOf({ name, oid }: Pick<HubFile, 'name' | 'oid'>): string {
    return this.fileOf(`.${name}.${oid.slice(0, 12)}.part`);
  }

  fileOf(name: string): string {
    return join(this.path, name);
  }

  async make(): Promise<void> {
    await mkdir(this.path, { recursive: true });
  }

  /** Whether there is anything of the model, of whatever revision. */
  async exists(): Promise<boolean> {
    return (await this.revisions()).length > 0;
  }

  /** The folders of this one's model, one for each revision. */
  async revisions(): Promise<ModelFolder[]> {
    const names = await readdir(dirname(this.path)).catch(() => []);
    return names.map((name) => new ModelFolder(this.root, this.id, decodeURIComponent(name)));
  }

  /** null where there is none, or none that can be read. */
  async manifest(): Promise<Manifest | null> {
    return readJson<Manifest>(this.manifestPath);
  }

  /** Looks at sizes and times; what has another time than before is read through, or counts as damaged `byLook`. */
  async inspect({ byLook = false } = {}): Promise<Inspection> {
    const manifest = await this.manifest();
    if (!manifest) return 'missing';
    const damaged: string[] = [];
    for (const file of manifest.files) if (!(await this.isAsBefore(file, byLook))) damaged.push(file.name);
    return damaged.length === 0 ? 'whole' : { damaged };
  }

  /** From here on the model is whole. */
  async complete(commit: string, files: readonly HubFile[]): Promise<void> {
    const described = files.map(async ({ name, size, oid, sha256 }) => {
      const { mtimeMs } = await stat(this.fileOf(name));
      return { name, size, oid, sha256, mtimeMs };
    });
    const manifest: Manifest = { id: this.id, revision: this.revision, commit, files: await Promise.all(described) };
    await writeWholeFile(this.manifestPath, (file) => file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`));
    await this.removeParts();
  }

  /** All that is there of the model, of every revision. First out of sight: no half of it is ever taken for a model. */
  async remove(): Promise<boolean> {
    const aside = join(this.root, `.removed-${process.pid}-${Date.now()}`);
    try {
      await rename(dirname(this.path), aside);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    await rm(aside, { recursive: true, force: true });
    return true;
  }

  private async isAsBefore(file: ManifestFile, byLook: boolean): Promise<boolean> {
    const found = await stat(this.fileOf(file.name)).catch(() => null);
    if (found?.size !== file.size) return false;
    return found.mtimeMs === file.mtimeMs || (!byLook && isIntact(this.fileOf(file.name), file));
  }

  private async removeParts(): Promise<void> {
    for (const name of await readdir(this.path)) if (PART.test(name)) await rm(this.fileOf(name), { force: true });
  }
}

export async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return null;
  }
}
