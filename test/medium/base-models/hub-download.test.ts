import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DownloadLock } from '../../../libs/base-models/src/hub/download-lock.js';
import type { DownloadStatus } from '../../../libs/base-models/src/hub/download-status.js';
import { HubClient } from '../../../libs/base-models/src/hub/hub-client.js';
import { HubFailure } from '../../../libs/base-models/src/hub/hub-failure.js';
import { ModelDownload } from '../../../libs/base-models/src/hub/model-download.js';
import { ModelFolder } from '../../../libs/base-models/src/hub/model-folder.js';
import { ModelPuller } from '../../../libs/base-models/src/hub/model-puller.js';
import { type Fault, HubServer, loadHubClient } from '../../support/hub-server.js';

const SHUTTLE = 'libs/engine/base-models/shuttle';
const ID = 'weavers/shuttle';
const WEIGHTS = 'model.safetensors';
const TOKEN = 'a-mirror-s-token';
const OTHERS = {
  'pytorch_model.bin': 'pickle',
  'model.gguf': 'GGUF',
  'consolidated.safetensors': 'x',
  LICENSE: 'free',
};

let hub: HubServer;
let root: string;
let folder: ModelFolder;
let statuses: DownloadStatus[];

beforeAll(loadHubClient, 120_000);

beforeEach(async () => {
  hub = await HubServer.start();
  hub.add(ID, SHUTTLE, OTHERS);
  root = mkdtempSync(join(tmpdir(), 'heddle-hub-'));
  folder = new ModelFolder(root, ID, 'main');
  statuses = [];
});

afterEach(async () => {
  await hub.close();
  rmSync(root, { recursive: true });
});

const clientOf = (token?: string): HubClient => new HubClient({ endpoint: hub.url, token, stallMs: 500 });

async function pull({ token, signal = new AbortController().signal }: { token?: string; signal?: AbortSignal } = {}) {
  await folder.make();
  const lock = (await new DownloadLock(folder.path).take())!;
  const puller = new ModelPuller(clientOf(token), folder, (status) => statuses.push(status), [5, 5, 5]);
  try {
    await puller.pull(lock, signal);
  } finally {
    await lock.release();
  }
}

const failureOf = (work: Promise<void>): Promise<HubFailure> =>
  work.then(
    () => {
      throw new Error('it must fail');
    },
    (error: HubFailure) => error,
  );

/** A fault of the first answers, so many, to requests for the weights' bytes. */
const spoilWeights = (fault: Fault, times = 1) => {
  let left = times;
  hub.fault = ({ kind, name }) => (kind === 'content' && name === WEIGHTS && left-- > 0 ? fault : undefined);
};
const percents = () => statuses.flatMap((s) => (s.state === 'downloading' && s.total ? [s.done / s.total] : []));
const reasons = () => [...new Set(statuses.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
const isWhole = async (): Promise<boolean> => (await folder.inspect()) === 'whole';

describe('a download from the hub', () => {
  it('fetches what the engine reads, byte for byte, and nothing else', async () => {
    await pull();
    const names = readdirSync(folder.path).filter((name) => !name.startsWith('.'));
    expect(names.sort()).toEqual(
      readdirSync(SHUTTLE)
        .filter((name) => /\.(json|safetensors|jinja)$/.test(name))
        .sort(),
    );
    for (const name of names) expect(readFileSync(join(folder.path, name))).toEqual(readFileSync(join(SHUTTLE, name)));
    expect(await isWhole()).toBe(true);
    expect(hub.asked('file', 'pytorch_model.bin')).toEqual([]);
  });

  it('tells how far it is, and ends at all', async () => {
    await pull();
    expect(percents().length).toBeGreaterThan(3);
    expect(percents()).toEqual([...percents()].sort((a, b) => a - b));
    expect(percents().at(-1)).toBe(1);
  });

  it('shows its token to the hub and to nobody else', async () => {
    await pull({ token: TOKEN });
    const shown = (kind: 'info' | 'content') => hub.asked(kind).map(({ authorization }) => authorization);
    expect(shown('info')).toEqual([`Bearer ${TOKEN}`]);
    expect(shown('content').every((authorization) => authorization === undefined)).toBe(true);
  });

  it('goes on where a connection broke', async () => {
    spoilWeights({ cutAfter: 500_000 });
    await pull();
    expect(await isWhole()).toBe(true);
    const starts = hub.asked('content', WEIGHTS).map(({ from }) => from);
    expect(starts.at(-1)).toBeGreaterThan(0);
    expect(starts.at(-1)).toBeLessThanOrEqual(500_000);
  });

  it('goes on where a connection fell silent', async () => {
    spoilWeights({ cutAfter: 500_000, hang: true });
    await pull();
    expect(await isWhole()).toBe(true);
    expect(reasons()).toEqual([expect.stringContaining('the hub sent nothing for 0.5 s; tries again in')]);
  });

  it('waits for a hub that has trouble, and for as long as it says', async () => {
    let left = 2;
    hub.fault = ({ kind }) =>
      kind === 'tree' && left-- > 0 ? { status: 503, headers: { 'retry-after': '0' } } : undefined;
    await pull();
    expect(await isWhole()).toBe(true);
    expect(reasons()).toEqual([expect.stringMatching(/^the hub answers 503 at .*; tries again in \d+ s$/)]);
  });

  it('gives up on a hub that only has trouble: that may pass later', async () => {
    hub.fault = () => ({ status: 500 });
    expect(await failureOf(pull())).toMatchObject({ retry: 'soon', message: expect.stringContaining('answers 500') });
    expect(hub.requests).toHaveLength(4);
  });

  it('says when nobody is there', async () => {
    await hub.close();
    const { message, retry } = await failureOf(pull());
    expect([message, retry]).toEqual([`the connection to ${hub.url} failed: ECONNREFUSED`, 'soon']);
    hub = await HubServer.start();
  });

  it.each<[string, Fault, string | undefined, RegExp]>([
    [
      'an unknown model',
      { status: 404, headers: { 'x-error-code': 'RepoNotFound' } },
      undefined,
      /has no model weavers/,
    ],
    ['a private model', { status: 401 }, undefined, /shows nobody weavers\/shuttle without a token \(401\)/],
    ['a bad token', { status: 401 }, TOKEN, /lets HF_TOKEN not read weavers\/shuttle \(401\)/],
    [
      'a gated model',
      { status: 401, headers: { 'x-error-code': 'GatedRepo' } },
      undefined,
      /is gated: accept its licence at http:.*weavers\/shuttle and set HF_TOKEN/,
    ],
    [
      'a gated model with a token',
      { status: 403, headers: { 'x-error-code': 'GatedRepo' } },
      TOKEN,
      /account of HF_TOKEN/,
    ],
  ])('asks once for %s, and says why not', async (_, fault, token, message) => {
    hub.fault = () => fault;
    expect(await failureOf(pull({ token }))).toMatchObject({ retry: 'never', message: expect.stringMatching(message) });
    expect(hub.requests).toHaveLength(1);
  });

  it('says also what only the file itself shows: a licence', async () => {
    hub.fault = ({ kind }) => (kind === 'file' ? { status: 403, headers: { 'x-error-code': 'GatedRepo' } } : undefined);
    expect((await failureOf(pull())).message).toContain('is gated');
  });

  it('says which revision there is not', async () => {
    folder = new ModelFolder(root, ID, 'v9');
    expect((await failureOf(pull())).message).toBe(`${ID} has no revision 'v9' on the hub`);
  });

  it.each([
    ['config.json', 'it is no model in Hugging Face form'],
    [WEIGHTS, 'has no weights as model.safetensors or its shards'],
  ])('refuses what has no %s', async (name, message) => {
    const bare = mkdtempSync(join(tmpdir(), 'heddle-bare-'));
    const present = ['config.json', WEIGHTS].find((other) => other !== name)!;
    writeFileSync(join(bare, present), '{}');
    hub.add(ID, bare, OTHERS);
    expect((await failureOf(pull())).message).toContain(message);
    rmSync(bare, { recursive: true });
  });

  it('throws away a file with a wrong checksum, and takes the right one', async () => {
    spoilWeights({ corrupt: true });
    await pull();
    expect(await isWhole()).toBe(true);
    expect(reasons()).toEqual([expect.stringContaining(`${WEIGHTS} came with a wrong checksum`)]);
  });

  it('gives up on a hub that always sends a wrong file, and keeps nothing of it', async () => {
    spoilWeights({ corrupt: true }, 99);
    expect((await failureOf(pull())).message).toBe(`${WEIGHTS} came with a wrong checksum`);
    expect(existsSync(join(folder.path, WEIGHTS))).toBe(false);
    expect(await folder.inspect()).toBe('missing');
  });

  it('can be stopped, and goes on after a restart from where it was', async () => {
    const controller = new AbortController();
    spoilWeights({ slowMs: 5 }, 2);
    const stopped = pull({ signal: controller.signal });
    const part = () => readdirSync(folder.path).find((name) => name.startsWith(`.${WEIGHTS}.`));
    while (!(existsSync(folder.path) && part() && statSync(join(folder.path, part()!)).size > 200_000)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort();
    await failureOf(stopped);
    expect(await folder.inspect()).toBe('missing');
    expect(existsSync(join(folder.path, WEIGHTS))).toBe(false);
    const there = statSync(join(folder.path, part()!)).size;
    hub.fault = () => undefined;
    await pull();
    expect(hub.asked('content', WEIGHTS).at(-1)!.from).toBe(there);
    expect(await isWhole()).toBe(true);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('asks for nothing twice that is there', async () => {
    await pull();
    const before = hub.requests.length;
    await pull();
    expect(hub.requests).toHaveLength(before);
  });

  it('finds what is damaged later, and mends just that, from the same commit', async () => {
    await pull();
    appendFileSync(join(folder.path, 'tokenizer.json'), ' ');
    const bytes = readFileSync(join(folder.path, WEIGHTS));
    bytes[1000]! ^= 1;
    writeFileSync(join(folder.path, WEIGHTS), bytes);
    expect(await folder.inspect()).toEqual({ damaged: ['tokenizer.json', WEIGHTS] });
    hub.commit = 'd00d'.padEnd(40, '0');
    hub.requests.length = 0;
    await pull();
    expect(await isWhole()).toBe(true);
    expect([...new Set(hub.requests.map(({ name }) => name))].sort()).toEqual([WEIGHTS, 'tokenizer.json'].sort());
  });

  it('does not begin what the disk has no room for', async () => {
    const download = new ModelDownload(clientOf(), folder, async () => 1_000_000);
    const failure = await failureOf(download.run(() => undefined, new AbortController().signal));
    expect(failure.message).toMatch(/too full for it: \d\.\d MB are missing, and 1\.0 MB are free/);
    expect(failure.retry).toBe('later');
    expect(hub.asked('content')).toEqual([]);
  });
});
