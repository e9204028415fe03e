import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readTar } from '@heddle/files';
import { ArchiveCommandError } from './archive-command.errors.js';
import { type HeddleServer, textOf } from './heddle-server.js';
import type { WandbProjects } from './wandb-projects.js';

export { ArchiveCommandError } from './archive-command.errors.js';

export const USAGE = `Usage: npm run export -- ENTITY/PROJECT FILE [--run NAME]...
       npm run import -- FILE ENTITY/PROJECT
       npm run import -- wandb ENTITY/PROJECT [TARGET_ENTITY/PROJECT] [--python PYTHON]
HEDDLE_URL and HEDDLE_API_KEY say which server, and who asks; WANDB_BASE_URL and WANDB_API_KEY where wandb's project is.`;

const OPTIONS = { run: { type: 'string', multiple: true }, python: { type: 'string' } } as const;

interface Imported {
  imported: Record<string, number>;
  already_there: Record<string, number>;
}

/** Archives from a server into files, and from files into a server. */
export class ArchivesCommand {
  constructor(
    private readonly server: () => HeddleServer,
    private readonly say: (line: string) => void,
    private readonly wandb: WandbProjects,
  ) {}

  /** @throws ArchiveCommandError, and what the system says of the file */
  async run([command, ...args]: readonly string[]): Promise<void> {
    const { values, positionals } = parse(args);
    const [first, second, third, ...rest] = positionals;
    const { run: runs = [], python } = values;
    const isOfWandb = command === 'import' && first === 'wandb';
    const isWrong = rest.length > 0 || (!isOfWandb && (third ?? python) !== undefined);
    if (first === undefined || second === undefined || isWrong || (command === 'import' && runs.length > 0))
      throw new ArchiveCommandError(USAGE);
    if (command === 'export') return this.export(projectOf(first), second, runs);
    if (isOfWandb) return this.importFromWandb(projectOf(second), projectOf(third ?? second), python ?? 'python3');
    return this.import(first, projectOf(second));
  }

  /** The file is there only once it is whole. */
  private async export(project: Project, file: string, runs: readonly string[]): Promise<void> {
    if (await stat(file).catch(() => null)) throw new ArchiveCommandError(`${file} is there already`);
    const query = runs.map((name) => `run=${encodeURIComponent(name)}`).join('&');
    const answer = await this.server().ask('GET', `${project.path}/archive${query === '' ? '' : `?${query}`}`);
    const draft = `${file}.partial`;
    await rm(draft, { force: true });
    try {
      await pipeline(
        answer,
        this.progress('received'),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await requireEnd(draft);
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
        throw new ArchiveCommandError('The archive was cut off: the log of the server says why');
      throw error;
    }
    this.say(`${file} is written.`);
  }

  /** What was fetched is kept until it is in its new place. */
  private async importFromWandb(source: Project, target: Project, python: string): Promise<void> {
    // Before hours of fetching, whether it has somewhere to go.
    await this.server().json('GET', '/v1/me');
    const { file, remove } = await this.wandb.fetch(`${source.entity}/${source.project}`, python, this.say);
    await this.import(file, target);
    await remove();
  }

  /** Makes the project where there is none. */
  private async import(file: string, { entity, project, path }: Project): Promise<void> {
    const { size } = await stat(file);
    const server = this.server();
    await server.json('POST', '/v1/projects', { entity, name: project }).catch((error: Error) => {
      // It is there, or whoever asks may only write in it: the import tells.
      if (!/\((403|404|409)\)$/.test(error.message)) throw error;
    });
    const content = createReadStream(file).pipe(this.progress('sent', size));
    const answer = await server.ask('POST', `${path}/archive`, { content, size, type: 'application/x-tar' });
    const { imported, already_there } = JSON.parse(await textOf(answer)) as Imported;
    for (const [table, rows] of Object.entries(imported)) this.say(`${table}: ${rows.toLocaleString('en')} rows`);
    const there = Object.values(already_there).reduce((sum, rows) => sum + rows, 0);
    if (there > 0) this.say(`${there.toLocaleString('en')} rows were there already`);
    this.say(`${file} is in ${entity}/${project}.`);
  }

  /** A line for each tenth, or for each 100 MB of what nobody knows the size of. */
  private progress(done: string, size?: number): Transform {
    const step = size === undefined ? 1e8 : Math.max(size / 10, 1);
    let [bytes, told] = [0, 0];
    return new Transform({
      transform: (chunk: Buffer, _encoding, next) => {
        bytes += chunk.length;
        if (Math.floor(bytes / step) > told) {
          told = Math.floor(bytes / step);
          const of = size === undefined ? '' : ` of ${megabytes(size)}`;
          this.say(`${megabytes(bytes)}${of} MB ${done}`);
        }
        next(null, chunk);
      },
    });
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });

interface Project {
  entity: string;
  project: string;
  /** Below `/v1`. */
  path: string;
}

function projectOf(text: string): Project {
  const [entity, project, ...rest] = text.split('/');
  if (!entity || !project || rest.length > 0) throw new ArchiveCommandError(`'${text}' is no ENTITY/PROJECT\n${USAGE}`);
  return { entity, project, path: `/v1/projects/${encodeURIComponent(entity)}/${encodeURIComponent(project)}` };
}

interface Options {
  run?: string[] | undefined;
  python?: string | undefined;
}

function parse(args: readonly string[]): { values: Options; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new ArchiveCommandError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** An answer without a length ends well wherever a proxy cuts it. */
async function requireEnd(file: string): Promise<void> {
  let last = '';
  try {
    for await (const { name } of readTar(createReadStream(file))) last = name;
  } catch {
    last = '';
  }
  if (last !== 'end.json') throw new ArchiveCommandError('The archive was cut off: nothing is written');
}
