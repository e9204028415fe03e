import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getQueueToken } from '@nestjs/bullmq';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq';
import { ServiceProcess } from '../support/service-process.js';
import { as } from '../medium/accounts/requests.js';
import { startApi, type TestApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';

const PRELOAD = process.env['HEDDLE_FAKETIME'] ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const AHEAD = '+3h';
/** Every 5 s by the worker's clock. */
const REPEATED = 'training-watchdog';
const DELIVERY = {
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
  WEBHOOK_RETRY_JITTER: '0',
};
/** A worker that goes on looks once a minute whether what repeats is planned for a time that comes. */
const FULL = process.env['CI_FULL'] === '1';

describe('a clock that was three hours ahead and is set back', () => {
  let api: TestApi;
  let folder: string;
  let clock: string;
  let worker: ServiceProcess;
  beforeAll(async () => {
    api = await startApi(DELIVERY);
    folder = mkdtempSync(join(tmpdir(), 'heddle-clock-'));
    clock = join(folder, 'clock');
    set(AHEAD);
  });
  afterAll(async () => {
    await worker?.kill('SIGKILL');
    await api.close();
    rmSync(folder, { recursive: true });
  });

  const set = (offset: string): void => writeFileSync(clock, offset);
  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start('worker', {
      ...DELIVERY,
      DATABASE_URL: api.database.url,
      DATA_DIR: folder,
      LD_PRELOAD: PRELOAD,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      // Timers run by the other clock, which nobody sets.
      DONT_FAKE_MONOTONIC: '1',
    });

  const scheduler = async (): Promise<{ next: number; runs: number }> => {
    const queue = api.provider<Queue>(getQueueToken('cpu') as never);
    const found = (await queue.getJobSchedulers()).find(({ key }) => key === REPEATED);
    return { next: found?.next ?? 0, runs: found?.iterationCount ?? 0 };
  };
  const runsAfter = (runs: number, patience: number): Promise<unknown> =>
    eventually(scheduler, (now) => now.runs > runs && now.next < Date.now() + 60_000, patience);

  it('does not stop what repeats: the worker that starts next plans it anew', async () => {
    worker = await start();
    const ahead = await eventually(scheduler, ({ next, runs }) => runs > 1 && next > Date.now() + 3_600_000, 30_000);
    expect(ahead.next - Date.now()).toBeLessThan(4 * 3_600_000);
    await worker.kill('SIGTERM');
    set('+0');
    worker = await start();
    await runsAfter(1, 30_000);
  }, 120_000);

  it('makes no retry wait for hours that was planned before', async () => {
    set(AHEAD);
    await worker.kill('SIGTERM');
    worker = await start();
    const receiver = await Receiver.start((response) => void response.writeHead(500).end());
    const team = await api.given.team('weavers');
    const ask = as(api, await api.given.user({ teams: [{ id: team.id, role: 'admin' }] }));
    const webhook = { name: 'deploy', url_endpoint: `http://127.0.0.1:${receiver.port}/` };
    const { id: webhook_id } = (await ask('POST', '/v1/teams/weavers/webhooks', webhook)).body;
    await ask('POST', '/v1/projects', { entity: 'weavers', name: 'loom' });
    const artifacts = '/v1/projects/weavers/loom/artifacts';
    await ask('POST', '/v1/automations', {
      name: 'made',
      scope: { scope_type: 'PROJECT', scope_id: 'weavers/loom' },
      event: { event_type: 'CREATE_ARTIFACT', filter: {} },
      action: { team: 'weavers', webhook_id },
    });
    await ask('POST', artifacts, { name: 'chat-model', type: 'model' });
    await ask('POST', `${artifacts}/chat-model/versions`, {});
    await eventually(
      async () => (await ask('GET', '/v1/executions?state=PENDING')).body['data'] as { next_attempt_at: string }[],
      ([execution]) => Date.parse(execution?.next_attempt_at ?? '') > Date.now() + 3_600_000,
      30_000,
    );
    await worker.kill('SIGTERM');
    set('+0');
    worker = await start();
    await eventually(
      () => receiver.requests.length,
      (sent) => sent > 1,
      30_000,
    );
    await receiver.close();
  }, 120_000);

  if (FULL)
    it('nor does a worker that goes on through it', async () => {
      set(AHEAD);
      await worker.kill('SIGTERM');
      worker = await start();
      await eventually(scheduler, ({ next }) => next > Date.now() + 3_600_000, 30_000);
      set('+0');
      await eventually(scheduler, ({ next }) => next < Date.now() + 60_000, 120_000);
    }, 240_000);
});
