import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelShelf } from '@heddle/base-models';
import { Env } from '@heddle/config';
import { ModelsCommand } from '../../../apps/local/src/models/models-command.js';
import { ProgressLines } from '../../../apps/local/src/models/progress-view.js';
import { ModelFolder } from '../../../libs/base-models/src/hub/model-folder.js';
import { eventually } from '../../support/eventually.js';
import { HubServer, loadHubClient } from '../../support/hub-server.js';

const ID = 'weavers/shuttle';
const SHUTTLE = 'libs/engine/base-models/shuttle';
const WEIGHTS = 'model.safetensors';

let hub: HubServer;
let root: string;

/** `npm run models`, without npm. */
class Command {
  output = '';
  errors = '';
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(words: readonly string[], settings: Record<string, string> = {}) {
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: root,
      BASE_MODELS: join(root, 'bases.yaml'),
      HF_ENDPOINT: hub.url,
      ...settings,
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.child = spawn(process.execPath, ['dist/apps/local/src/models.js', ...words], { env, stdio: [...stdio] });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }
}

/** The same within this process: a process for each would cost seconds. */
async function models(...words: string[]): Promise<{ error: string | null; output: string }> {
  const env = Env.from({ DATA_DIR: root, BASE_MODELS: join(root, 'bases.yaml'), HF_ENDPOINT: hub.url });
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const command = new ModelsCommand(new ModelShelf(env), say, new ProgressLines(say));
  const error = await command.run(words, new AbortController().signal).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { error, output: lines.join('\n') };
}

const file = (name: string): string => join(folder().path, name);
const folder = (): ModelFolder => new ModelFolder(join(root, 'base-models'), ID, 'main');

beforeAll(loadHubClient, 120_000);

beforeEach(async () => {
  hub = await HubServer.start();
  hub.add(ID, SHUTTLE);
  root = mkdtempSync(join(tmpdir(), 'heddle-models-'));
  const bases = `- { id: ${ID}, source: hub }\n- { id: my/own, source: ${process.cwd()}/${SHUTTLE} }\n- { id: my/lost, source: lost }`;
  writeFileSync(join(root, 'bases.yaml'), bases);
});

afterEach(async () => {
  await hub.close();
  rmSync(root, { recursive: true });
});

describe('npm run models', () => {
  it('lists what there is, with no server', async () => {
    const { output, error } = await models('list');
    expect(error).toBeNull();
    expect(output.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'STATE', 'SIZE', 'SOURCE'],
      ['heddle/shuttle-1m', 'ready', 'ships with Heddle'],
      [ID, 'not downloaded', '0 bytes', 'hub'],
      ['my/own', 'ready', join(process.cwd(), SHUTTLE)],
      ['my/lost', "failed: there is no directory 'lost'", join(root, 'lost')],
    ]);
  });

  it('pulls a model, tells how far it is, and lists it', async () => {
    const { error, output } = await models('pull', ID);
    expect([error, output.split('\n').at(-1)]).toEqual([null, `${ID} is here`]);
    expect(output).toContain('100 % of 2.6 MB');
    expect(readFileSync(file(WEIGHTS))).toEqual(readFileSync(join(SHUTTLE, WEIGHTS)));
    expect((await models('list')).output).toMatch(new RegExp(`${ID} +ready +2\\.6 MB +hub`));
  });

  it('says how to use what no file names', async () => {
    hub.add('weavers/other', SHUTTLE);
    expect((await models('pull', 'weavers/other')).output).toContain('to train it, name it in the file of BASE_MODELS');
  });

  it('mends what is damaged', async () => {
    await models('pull', ID);
    truncateSync(file(WEIGHTS), 1000);
    expect((await models('list')).output).toContain(`damaged: ${WEIGHTS}`);
    expect((await models('pull', ID)).error).toBeNull();
    expect(await folder().inspect()).toBe('whole');
  });

  it('stops on Ctrl-C and goes on from there; what is being downloaded is not removed, and then it is', async () => {
    hub.fault = ({ kind }) => (kind === 'content' ? { cutAfter: 1_000_000, hang: true } : undefined);
    const command = new Command(['pull', ID]);
    await eventually(
      () => command.output,
      (output) => output.includes('30 %'),
      25_000,
    );
    await eventually(
      async () => (await models('list')).output,
      (output) => /weavers\/shuttle +downloading \d+ %/.test(output),
    );
    expect((await models('remove', ID)).error).toBe(`${ID} is being downloaded at this moment`);
    command.child.kill('SIGINT');
    expect(await command.ended).toBe(130);
    expect(command.errors).toBe('heddle: stopped; the next pull goes on from here\n');
    expect((await models('list')).output).toMatch(new RegExp(`${ID} +incomplete`));
    hub.fault = () => undefined;
    expect((await models('pull', ID)).error).toBeNull();
    expect(hub.asked('content', WEIGHTS).at(-1)!.from).toBeGreaterThan(500_000);
    expect((await models('remove', ID)).output).toContain(`${ID} is removed`);
    expect(existsSync(folder().path)).toBe(false);
    expect((await models('remove', ID)).error).toBe(`${ID} has not been downloaded`);
  }, 60_000);

  it.each([
    [[], 'Which command?\nUsage: npm run models -- COMMAND'],
    [['lst'], "There is no command 'lst'\nUsage:"],
    [['pull'], 'pull which model?\nUsage:'],
    [['list', ID], 'Too many words\nUsage:'],
    [['pull', 'my/own'], 'my/own is a directory of yours: '],
    [['pull', '../up'], "'../up' is no name of a model on the hub"],
    [['remove', '../..'], "'../..' is no name of a model on the hub"],
    [['pull', 'weavers/none'], 'the hub has no model weavers/none'],
  ])('refuses %j: %s', async (words, message) => {
    expect((await models(...words)).error).toContain(message);
  });

  it('ends with 1 and plain words: offline, or with faults in the file', async () => {
    const offline = new Command(['pull', ID], { HF_HUB_OFFLINE: '1' });
    expect(await offline.ended).toBe(1);
    expect(offline.errors).toBe('heddle: HF_HUB_OFFLINE is set: nothing can be downloaded\n');
    writeFileSync(join(root, 'bases.yaml'), '- { id: a }\n- { id: b, source: hub, size: 7 }');
    const faulty = new Command(['list']);
    expect(await faulty.ended).toBe(1);
    expect(faulty.errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^heddle: .*bases\.yaml: entry 1 \(a\): source: is missing/),
      expect.stringMatching(/bases\.yaml: entry 2 \(b\): size: is not a field/),
    ]);
  }, 60_000);
});
