import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startApi, type TestApi } from '../../support/api.js';

const SHUTTLE = resolve('libs/engine/base-models/shuttle');
const KEY = 'the-key-of-the-trainer';
const works = { success: true, duration: expect.any(Number), errors: [] };

/** What a trainer and an inference server say of themselves; what they do is tested with real ones. */
class Machine {
  isSilent = false;
  models = ['there'];
  /** What it takes for its key; null: any. */
  key: string | null = null;
  asked = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response));
  }

  static async start(): Promise<Machine> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Machine(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer({ url, headers }: IncomingMessage, response: ServerResponse): void {
    this.asked += 1;
    if (this.isSilent) return;
    const isRefused = this.key !== null && headers['x-api-key'] !== this.key;
    if (isRefused) return void response.writeHead(401).end();
    const answers: Record<string, unknown> = {
      '/health': {},
      '/v1/models': { data: this.models.map((id) => ({ id })) },
      '/api/v1/healthz': { status: 'ok' },
      '/api/v1/get_server_capabilities': { supported_models: this.models.map((model_name) => ({ model_name })) },
    };
    response.writeHead(url! in answers ? 200 : 404).end(JSON.stringify(answers[url!] ?? {}));
  }
}

describe('a base model that is trained and sampled on other machines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-servers-'));
  let trainer: Machine;
  let sampler: Machine;
  let api: TestApi;
  let key: string;

  const get = async (path: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const text = await (await fetch(api.url + path, { headers })).text();
    return { body: JSON.parse(text) as Record<string, unknown>, text };
  };
  /** Its servers, as those see them who may use it. */
  const servers = async () => {
    const { body } = await get('/v1/preview/base-models', key);
    return (body['data'] as { id: string; servers: object[] }[]).find(({ id }) => id === 'team/there')!.servers;
  };
  /** What an earlier test was told is kept for a while; a system check asks anew. */
  const systemCheck = () => get('/v1/system-check');
  const checks = (body: Record<string, unknown>) => body['servers'] as object[];

  beforeAll(async () => {
    [trainer, sampler] = [await Machine.start(), await Machine.start()];
    const file = join(folder, 'bases.yaml');
    writeFileSync(
      file,
      `- id: team/there
  source: ${SHUTTLE}
  engine: { tinker: { url: 'http://${trainer.host}', api_key: ${KEY}, model: there } }
  inference: [{ openai: { url: 'http://${sampler.host}', model: there } }]
`,
    );
    api = await startApi({ BASE_MODELS: file, SYSTEM_CHECK_TIMEOUT_MS: '300' });
    ({ key } = await api.given.user());
  });

  afterEach(() => {
    for (const machine of [trainer, sampler]) Object.assign(machine, { isSilent: false, models: ['there'], key: null });
  });

  afterAll(async () => {
    await api.close();
    await trainer.stop();
    await sampler.stop();
    rmSync(folder, { recursive: true });
  });

  it('shows both as up while they answer', async () => {
    const { body } = await systemCheck();
    expect(checks(body)).toEqual([
      { kind: 'trainer', base_model: 'team/there', ...works },
      { kind: 'inference', base_model: 'team/there', ...works },
    ]);
    expect(await servers()).toEqual([
      { kind: 'trainer', host: trainer.host, status: 'up', reason: null },
      { kind: 'inference', host: sampler.host, status: 'up', reason: null },
    ]);
    expect((await get('/v1/health')).body).toMatchObject({ details: { base_models: { status: 'up' } } });
  });

  it('says which one does not answer, its host only to those who may use it', async () => {
    trainer.isSilent = true;
    const { body, text } = await systemCheck();
    expect(checks(body)).toMatchObject([{ success: false, errors: ['not reachable'] }, { success: true }]);
    expect(text).not.toContain('127.0.0.1');
    expect(await servers()).toMatchObject([
      { status: 'down', reason: `the trainer at ${trainer.host} doesn't answer` },
      { status: 'up' },
    ]);
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toContain('heddle_remote_servers{kind="trainer",state="down"} 1');
    // What one base model lacks stops none of the others.
    expect((await get('/v1/health')).body['details']).toMatchObject({
      base_models: { status: 'up', unreachable: ['team/there'] },
    });
  });

  it('says so where a server has not the model', async () => {
    sampler.models = ['another'];
    await systemCheck();
    const reason = `the inference server at ${sampler.host} hasn't the base model there`;
    expect(await servers()).toMatchObject([{ status: 'up' }, { status: 'down', reason }]);
  });

  it('says so where a server refuses the key, and sends the right one', async () => {
    trainer.key = KEY;
    expect(checks((await systemCheck()).body)).toMatchObject([{ success: true }, { success: true }]);
    trainer.key = 'another';
    const errors = ['refuses the key or has not the model'];
    expect(checks((await systemCheck()).body)).toMatchObject([{ success: false, errors }, { success: true }]);
    const [state] = await servers();
    expect(state).toMatchObject({ reason: `the trainer at ${trainer.host} refuses the key (401)` });
    expect(JSON.stringify(state)).not.toContain(KEY);
  });

  it('asks a server once for many who want to know', async () => {
    await systemCheck();
    const before = trainer.asked;
    await Promise.all(Array.from({ length: 20 }, () => get('/v1/health')));
    expect(trainer.asked).toBe(before);
  });
});
