import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArchivesCommand } from '../../../apps/local/src/archives/archives-command.js';
import { serverFrom } from '../../../apps/local/src/archives/heddle-server.js';
import { WandbProjects } from '../../../apps/local/src/archives/wandb-projects.js';
import { ArchiveSystem, type Row } from './archive-system.js';

describe('npm run export and import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-archives-'));
  const file = join(folder, 'loom.tar');
  let system: ArchiveSystem;
  beforeAll(async () => {
    system = await ArchiveSystem.start('weavers');
    await system.project('loom');
    await system.send('POST', '/v1/projects/weavers/loom/runs', { name: 'one' });
    await system.send('POST', '/v1/projects/weavers/loom/runs', { name: 'two' });
  });
  afterAll(async () => {
    await system.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function command(...words: string[]): Promise<string[]> {
    const said: string[] = [];
    const env = new Map([
      ['HEDDLE_URL', system.api.url],
      ['HEDDLE_API_KEY', system.ada.key],
    ]);
    const server = () => serverFrom((name) => env.get(name));
    const wandb = new WandbProjects(join(folder, 'wandb'), (name) => env.get(name));
    await new ArchivesCommand(server, (line) => said.push(line), wandb).run(words);
    return said;
  }

  it('write a file, and bring it into a project that they make', async () => {
    expect((await command('export', 'weavers/loom', file)).at(-1)).toBe(`${file} is written.`);
    const said = await command('import', file, 'weavers/copy');
    expect(said).toContain('runs: 2 rows');
    expect(said.at(-1)).toBe(`${file} is in weavers/copy.`);
    const { data } = await system.send<{ data: Row[] }>('GET', '/v1/projects/weavers/copy/runs');
    expect(data.map(({ name }) => name).sort()).toEqual(['one', 'two']);
    expect((await command('import', file, 'weavers/copy')).at(-2)).toBe('2 rows were there already');
  });

  it('take the runs that are named', async () => {
    const one = join(folder, 'one.tar');
    await command('export', 'weavers/loom', one, '--run', 'one');
    expect(await command('import', one, 'weavers/one')).toContain('runs: 1 rows');
  });

  it('fetch from wandb with the Python that is named, which must be one', async () => {
    const fetched = (python: string) => command('import', 'wandb', 'a/b', '--python', python);
    await expect(fetched('/no/such/python')).rejects.toThrow(/'\/no\/such\/python' can't be run .*--python names/);
    await expect(fetched('false')).rejects.toThrow('a/b was not fetched as a whole');
    await expect(command('import', file, 'weavers/copy', '--python', 'python3')).rejects.toThrow(/Usage/);
    await expect(command('import', 'wandb', 'a')).rejects.toThrow(/no ENTITY\/PROJECT/);
  });

  it('say in a line what is wrong, and leave no file', async () => {
    await expect(command('export', 'weavers/loom', file)).rejects.toThrow(`${file} is there already`);
    const nowhere = join(folder, 'nowhere.tar');
    await expect(command('export', 'weavers/nowhere', nowhere)).rejects.toThrow(/nowhere.*not found.*\(404\)/);
    await expect(command('export', 'weavers', nowhere)).rejects.toThrow(/no ENTITY\/PROJECT/);
    await expect(command('import', file)).rejects.toThrow(/Usage/);
    const broken = join(folder, 'broken.tar');
    writeFileSync(broken, 'no archive'.repeat(1000));
    await expect(command('import', broken, 'weavers/broken')).rejects.toThrow(/no archive.*\(400\)/);
    expect(() => serverFrom((name) => (name === 'HEDDLE_URL' ? undefined : 'x'))).toThrow(/HEDDLE_URL/);
    expect(() => serverFrom((name) => (name === 'HEDDLE_URL' ? 'http://127.0.0.1:1' : undefined))).toThrow(
      /HEDDLE_API_KEY/,
    );
    expect(readdirSync(folder).sort()).toEqual(['broken.tar', 'loom.tar', 'one.tar', 'wandb']);
  });
});
