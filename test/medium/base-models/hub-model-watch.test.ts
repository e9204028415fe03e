import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DownloadLock } from '../../../libs/base-models/src/hub/download-lock.js';
import { type DownloadStatus, StatusFile } from '../../../libs/base-models/src/hub/download-status.js';
import { HubClient } from '../../../libs/base-models/src/hub/hub-client.js';
import { HubModelWatch } from '../../../libs/base-models/src/hub/hub-model-watch.js';
import { ModelFolder } from '../../../libs/base-models/src/hub/model-folder.js';
import { ModelPuller } from '../../../libs/base-models/src/hub/model-puller.js';
import { eventually } from '../../support/eventually.js';
import { HubServer, loadHubClient } from '../../support/hub-server.js';

const SHUTTLE = 'libs/engine/base-models/shuttle';
const ID = 'weavers/shuttle';
const WEIGHTS = 'model.safetensors';
const BYTES = readFileSync(join(SHUTTLE, WEIGHTS));
const TIMING = { pollMs: 10, laterMs: 60_000, delaysMs: [5], lock: { beatMs: 50, deadAfterMs: 300 } };

let hub: HubServer;
let root: string;
let folder: ModelFolder;
const controller = new AbortController();
const children: Child[] = [];

/** A process that brings the model here. */
class Child {
  output = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor() {
    const script = 'test/medium/base-models/watch-process.mjs';
    this.child = spawn(process.execPath, [script, root, ID, hub.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
    children.push(this);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

beforeAll(loadHubClient, 120_000);

beforeEach(async () => {
  hub = await HubServer.start();
  hub.add(ID, SHUTTLE);
  root = mkdtempSync(join(tmpdir(), 'heddle-watch-'));
  folder = new ModelFolder(root, ID, 'main');
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await hub.close();
  rmSync(root, { recursive: true });
});

const client = (): HubClient => new HubClient({ endpoint: hub.url, token: undefined, stallMs: 2000 });

function watch(hubClient: HubClient | null = client()): { statuses: DownloadStatus[]; whole: Promise<void> } {
  const statuses: DownloadStatus[] = [];
  const watch = new HubModelWatch(hubClient, folder, (status) => statuses.push(status), TIMING);
  const whole = watch.untilWhole(controller.signal);
  whole.catch(() => undefined);
  return { statuses, whole };
}

/** As `npm run models -- pull` does it. Whoever failed tells that a moment before it lets go of the lock. */
async function pullByHand(): Promise<void> {
  await folder.make();
  const news = new StatusFile(folder.path);
  const lock = await new DownloadLock(folder.path, TIMING.lock).untilTaken(
    news,
    () => undefined,
    20,
    controller.signal,
  );
  await new ModelPuller(client(), folder, () => undefined).pull(lock, controller.signal).finally(() => lock.release());
}

const slowWeights = () => {
  hub.fault = ({ kind }) => (kind === 'content' ? { slowMs: 10 } : undefined);
};
/** Requests for the bytes themselves: each download first asks for one, to learn the size. */
const downloadsFrom = () => hub.asked('content', WEIGHTS).map(({ from }) => from);

describe('two processes that want the same model', () => {
  it('download it once, and both have it', async () => {
    slowWeights();
    const both = [new Child(), new Child()];
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(both.map(({ output }) => output.trim().split('\n').at(-1))).toEqual(['whole', 'whole']);
    expect(hub.asked('info')).toHaveLength(1);
    expect(hub.asked('content', WEIGHTS)).toHaveLength(1);
    expect(readFileSync(folder.fileOf(WEIGHTS))).toEqual(BYTES);
  });

  it('both know how far it is', async () => {
    hub.fault = ({ kind }) => (kind === 'content' ? { cutAfter: 1_000_000, hang: true } : undefined);
    const both = [new Child(), new Child()];
    await eventually(
      () => both.map(({ output }) => output),
      (outputs) => outputs.every((output) => /downloading [1-9]\d{5}/.test(output)),
      25_000,
    );
  });

  it('go on where one of them was killed', async () => {
    hub.fault = ({ kind, from }) =>
      kind === 'content' && from === 0 ? { cutAfter: 1_000_000, hang: true } : undefined;
    const first = new Child();
    await eventually(
      () => first.output,
      (output) => output.includes(' 1000000') || / 10\d{5}$/m.test(output),
    );
    const second = new Child();
    await first.kill();
    expect(await second.ended).toBe(0);
    expect(downloadsFrom().at(-1)).toBeGreaterThan(900_000);
    expect(readFileSync(folder.fileOf(WEIGHTS))).toEqual(BYTES);
  });

  it('hear of one failure, and ask no second time', async () => {
    hub.fault = () => ({ status: 404 });
    const both = [watch(), watch()];
    await eventually(
      () => both.map(({ statuses }) => statuses.at(-1)),
      (last) => last.every((status) => status?.state === 'failed'),
    );
    expect(both.map(({ statuses }) => statuses.at(-1)!.reason)).toEqual(Array(2).fill(`the hub has no model ${ID}`));
    expect(hub.requests).toHaveLength(1);
  });

  it('both have what is brought by hand after that', async () => {
    hub.fault = () => ({ status: 401 });
    const both = [watch(), watch()];
    await eventually(
      () => both.map(({ statuses }) => statuses.at(-1)?.state),
      (states) => states.every((state) => state === 'failed'),
    );
    hub.fault = () => undefined;
    await pullByHand();
    await Promise.all(both.map(({ whole }) => whole));
  });
});

describe('offline', () => {
  it('what is there serves, and nothing is asked', async () => {
    await pullByHand();
    const before = hub.requests.length;
    await watch(null).whole;
    expect(hub.requests).toHaveLength(before);
  });

  it('what is not there fails at once, and serves when somebody has brought it', async () => {
    const { statuses, whole } = watch(null);
    await eventually(
      () => statuses.at(-1),
      (status) => status?.state === 'failed',
    );
    expect(statuses.at(-1)!.reason).toContain('HF_HUB_OFFLINE is set');
    expect(hub.requests).toEqual([]);
    await pullByHand();
    await whole;
  });
});

describe('a lock on a folder', () => {
  const lock = () => new DownloadLock(folder.path, TIMING.lock);

  beforeEach(() => folder.make());

  it('is one process', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, () => lock().take()));
    const held = taken.filter((one) => one !== null);
    expect(held).toHaveLength(1);
    expect(await lock().take()).toBeNull();
    await held[0]!.release();
    const next = await lock().take();
    expect(next).not.toBeNull();
    await next!.release();
  });

  it('outlives the time after which a silent one is dead, as long as its holder lives', async () => {
    const held = (await lock().take())!;
    const other = lock();
    for (const end = Date.now() + 2.5 * TIMING.lock.deadAfterMs; Date.now() < end;) {
      expect(await other.take()).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await held.release();
  });

  it('passes on from a holder on another machine that falls silent, which notices when it wakes', async () => {
    const held = (await new DownloadLock(folder.path, { beatMs: 900, deadAfterMs: 300 }).take())!;
    const other = lock();
    const next = await eventually(
      () => other.take(),
      (taken) => taken !== null,
    );
    await eventually(
      () => held.signal.aborted,
      (aborted) => aborted,
    );
    await held.release();
    expect(await lock().take()).toBeNull();
    await next!.release();
  });
});
