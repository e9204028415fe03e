import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Env } from '@heddle/config';
import { DiskObjectStore } from '@heddle/storage';
import { TrajectoriesMissingError } from './trajectories.errors.js';
import { TrajectoryFilesService } from './trajectory-files.service.js';

describe('TrajectoryFilesService', () => {
  let folder: string;
  let files: TrajectoryFilesService;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-trajectories-'));
    files = new TrajectoryFilesService(Env.from({ NODE_ENV: 'test', DATA_DIR: folder }), new DiskObjectStore(folder));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const LINES = '{"a":1}\n'.repeat(50_000);
  const read = async (path: string): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of files.read(path)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };

  it.each(['gzip', 'none'] as const)('gives back what was written, compression %s', async (compression) => {
    const { path, bytes } = await files.write([Buffer.from(LINES), Buffer.from('{}\n')], compression);
    expect(bytes).toBe(statSync(join(folder, path)).size);
    expect(bytes < LINES.length / 10).toBe(compression === 'gzip');
    expect(await read(path)).toBe(`${LINES}{}\n`);
  });

  it('leaves nothing of what could not be written whole', async () => {
    const broken = (function* () {
      yield Buffer.from(LINES);
      throw new Error('the source broke');
    })();
    await expect(files.write(broken, 'gzip')).rejects.toThrow('the source broke');
    expect(readdirSync(join(folder, 'trajectories'))).toEqual(['incoming']);
    expect(readdirSync(join(folder, 'trajectories/incoming'))).toEqual([]);
  });

  it.each(['gzip', 'none'] as const)('says that a file is gone, compression %s', async (compression) => {
    const { path } = await files.write([], compression);
    await files.remove([path]);
    await files.remove([path]);
    await expect(read(path)).rejects.toBeInstanceOf(TrajectoriesMissingError);
  });

  it('fails on a file that was cut short', async () => {
    const { path, bytes } = await files.write([Buffer.from(LINES)], 'gzip');
    truncateSync(join(folder, path), bytes - 10);
    await expect(read(path)).rejects.toThrow('unexpected end of file');
  });

  it.each(['../secret', 'trajectories/../x.jsonl', '/etc/passwd'])('knows no file %s', async (path) => {
    await expect(read(path)).rejects.toThrow(TypeError);
  });

  it('lists the old ones, and clears away what was never finished', async () => {
    const [old, young] = [await files.write([], 'none'), await files.write([], 'none')];
    const abandoned = join(folder, 'trajectories/incoming/half');
    writeFileSync(abandoned, '');
    const yesterday = new Date(Date.now() - 86_400_000);
    for (const path of [join(folder, old.path), abandoned]) utimesSync(path, yesterday, yesterday);
    expect(await files.listBefore(new Date(Date.now() - 3_600_000))).toEqual([old.path]);
    expect([existsSync(abandoned), existsSync(join(folder, young.path))]).toEqual([false, true]);
  });
});
