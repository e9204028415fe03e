import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '@heddle/config';
import { ArchiveCommandError } from './archive-command.errors.js';

const PROGRAM = join(import.meta.dirname, '../../wandb-import/import_project.py');

export interface FetchedProject {
  /** An archive in Heddle's form. */
  file: string;
  /** Once it is of no more use. */
  remove(): Promise<void>;
}

/** Projects on servers that speak wandb's protocol, fetched by the SDK's own Api. */
export class WandbProjects {
  /** @param folder where what was fetched lies until it is removed: an import that was interrupted goes on from there */
  constructor(
    private readonly folder: string,
    private readonly variable: (name: string) => string | undefined,
  ) {}

  /** @param project `entity/project` @throws ArchiveCommandError */
  async fetch(project: string, python: string, say: (line: string) => void): Promise<FetchedProject> {
    const place = `${this.variable('WANDB_BASE_URL') ?? ''} ${project}`;
    const work = join(this.folder, createHash('sha256').update(place).digest('hex').slice(0, 16));
    await mkdir(work, { recursive: true, mode: 0o700 });
    const file = join(work, 'project.tar');
    const program = /[\\/]/.test(python) ? resolve(python) : python;
    const child = spawn(program, [PROGRAM, project, file, '--work', work], {
      cwd: work,
      // It ends with this process, by its input.
      stdio: ['pipe', 'pipe', 'inherit'],
      env: childEnvironment({
        PYTHONDONTWRITEBYTECODE: '1',
        WANDB_SILENT: 'true',
        WANDB_DIR: work,
        WANDB_CACHE_DIR: join(work, 'cache'),
        WANDB_DATA_DIR: join(work, 'data'),
      }),
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    createInterface({ input: child.stdout }).on('line', say);
    const [code] = await ended.catch((error: Error) => {
      throw new ArchiveCommandError(
        `'${python}' can't be run (${error.message}): --python names a Python that has wandb`,
      );
    });
    if (code !== 0)
      throw new ArchiveCommandError(`${project} was not fetched as a whole: the same command goes on where it ended`);
    return { file, remove: () => rm(work, { recursive: true, force: true }) };
  }
}
