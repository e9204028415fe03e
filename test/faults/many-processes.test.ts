import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFiredOnceAndDelivered, finished } from '../medium/automations/delivery-claims.js';
import { PatientRest } from '../support/patient-rest.js';
import { Receiver } from '../support/receiver.js';
import { SafeCalls } from '../support/safe-calls.js';
import { expectTrainedOnce, rlJob } from '../support/training-claims.js';
import { Topology } from './topology.js';

/** Few in CI; FAULT_KILLS=50 takes some minutes. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 4);
const KINDS = ['worker', 'api', 'pgbouncer', 'worker'] as const;
const LONGEST_PAUSE_MS = 3000;
const MODELS = 2;
const JOBS_OF_EACH = Math.ceil(KILLS / 4) + 1;
const RUNS = 15 * KILLS;
const BATCH = 5;
const KEY = `hd_${'k'.repeat(43)}`;

describe('three APIs and three workers behind PgBouncer, killed at random', () => {
  let topology: Topology;
  let receiver: Receiver;
  let rest: PatientRest;
  let calls: SafeCalls;
  let isOver = false;

  beforeAll(async () => {
    receiver = await Receiver.start(
      (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20),
    );
    topology = await Topology.create({
      ADMIN_API_KEY: KEY,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_SWEEP_SECONDS: '1',
    });
    await topology.start();
    rest = new PatientRest(topology.urls, KEY);
    calls = new SafeCalls(topology.urls, KEY, 'admin/loom');
  }, 600_000);
  afterAll(async () => {
    await topology?.remove();
    await receiver?.close();
  });

  async function givenAutomation(): Promise<{ id: string }> {
    const webhook = await rest.send<{ id: string }>('POST', '/v1/teams/admin/webhooks', {
      name: 'receiver',
      url_endpoint: `http://127.0.0.1:${receiver.port}/`,
    });
    return rest.send('POST', '/v1/automations', {
      name: 'reached',
      scope: { scope_type: 'PROJECT', scope_id: 'admin/loom' },
      event: { event_type: 'RUN_METRIC', filter: { name: 'reward', cmp_op: '>', threshold: 0.5 } },
      action: {
        action_type: 'Webhooks',
        team: 'admin',
        webhook_id: webhook.id,
        request_payload: { alias: '${run_name}' },
      },
    });
  }

  async function givenRuns(): Promise<string[]> {
    const names = Array.from({ length: RUNS }, (_, i) => `run-${i}`);
    for (const name of names) await rest.send('POST', '/v1/projects/admin/loom/runs', { name });
    return names;
  }

  async function trace(): Promise<void> {
    for (; !isOver; await pause(50)) await calls.send(BATCH);
  }

  /** Each run reaches the threshold again and again; that it did once is news. */
  async function log(runs: readonly string[]): Promise<void> {
    for (const name of runs) {
      for (const reward of [0.9, 1])
        await rest.send('POST', `/v1/projects/admin/loom/runs/${name}/history`, { points: [{ metrics: { reward } }] });
      if (!isOver) await pause(50);
    }
  }

  async function train(model: string): Promise<void> {
    for (let i = 0; i < JOBS_OF_EACH; i++) {
      // A client that names its job may ask again where the answer was lost.
      const job = { ...rlJob(model, i), client_job_id: `job-${i}` };
      await rest.send('POST', '/v1/preview/training-jobs', job);
    }
  }

  async function killAll(): Promise<void> {
    for (let i = 0; i < KILLS; i++) {
      await pause(Math.random() * LONGEST_PAUSE_MS);
      await topology.killOne(KINDS[i % KINDS.length]!, Math.random() * 1000);
    }
    isOver = true;
  }

  it('lose nothing that they acknowledged, fire each event once, and train each job once', async () => {
    await rest.send('POST', '/v1/projects', { entity: 'admin', name: 'loom' });
    const automation = await givenAutomation();
    const runs = await givenRuns();
    const models = await Promise.all(
      Array.from({ length: MODELS }, async (_, i) => {
        const fields = { project: 'training', name: `model-${i}`, base_model: 'heddle/shuttle-1m' };
        return (await rest.send<{ id: string }>('POST', '/v1/preview/models', fields)).id;
      }),
    );
    await Promise.all([trace(), trace(), log(runs), ...models.map(train), killAll()]);

    expect((await calls.stored()).sort()).toEqual(calls.safe.sort());
    expect(calls.safe.length).toBeGreaterThan(20 * BATCH);
    for (const model of models) expect(await expectTrainedOnce(rest, model)).toHaveLength(JOBS_OF_EACH);
    await finished(topology, automation, RUNS);
    await expectFiredOnceAndDelivered(topology, receiver, runs);
  }, 900_000);
});
