import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkFoldersService } from '../../../libs/training/src/running/work-folders.service.js';
import { TrainingSystem } from './training-system.js';

/**
 * A worker that dies is one whose job is held in the middle, and whose last sign of life is made old: what it was killed of
 * is nothing that its rows could tell. What it does afterwards is what a worker does that was frozen, and wakes up.
 */
describe('training survives', () => {
  let t: TrainingSystem;
  let model: string;
  let workers: INestApplication[];
  beforeAll(async () => {
    t = await TrainingSystem.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    t.engine.reset();
    model = await t.model();
    workers = [];
    t.published.length = 0;
  });
  afterEach(async () => {
    t.engine.release();
    for (const worker of workers) await t.stopWorker(worker);
  });

  async function start(): Promise<INestApplication> {
    const worker = await t.startWorker();
    workers.push(worker);
    return worker;
  }

  /** A job of four steps, two of which are written, whose worker is about to die. */
  async function interrupted(): Promise<string> {
    t.engine.holdAt(2);
    const id = await t.train(model, 4);
    await t.untilEvents(id, 3);
    // Whichever worker takes the job next: it isn't held.
    t.engine.holdNoMore();
    return id;
  }

  it('the death of a worker: the next one goes on, and no step comes twice or is lost', async () => {
    await start();
    const id = await interrupted();
    const before = await t.events(id);
    const second = await start();
    await t.killWorkerOf(id);
    await t.watch(second);
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', attempts: 2, num_sequences: 4, step: 1 });
    const events = await t.events(id);
    expect(events.slice(0, 3)).toEqual(before);
    expect(events.map(({ type }) => type)).toEqual([
      'training_started',
      ...Array(4).fill('gradient_step'),
      'training_ended',
    ]);

    // The first one wakes up: nothing of what it does counts.
    t.engine.release();
    await t.settled();
    expect(await t.events(id)).toEqual(events);
    expect(await t.steps(model)).toEqual([1]);
    expect(await t.weights(model, 1)).toHaveLength(3);
    const states = t.published.flatMap((event) => (event.type === 'TRAINING_JOB_STATE' ? event.state : []));
    expect(states).toEqual(['RUNNING', 'FINISHED']);
  });

  it('the death of a worker before the clock of the database was set back: its job waits no longer for that', async () => {
    await start();
    const id = await interrupted();
    const age = async () => {
      const sql = 'SELECT extract(epoch FROM now() - heartbeat_at)::float8 AS age FROM training_jobs WHERE id = $1';
      return (await t.database.pool.query<{ age: number }>(sql, [id])).rows[0]!.age;
    };
    const gone = "worker_id = gen_random_uuid(), heartbeat_at = now() + interval '3 hours'";
    await t.database.pool.query(`UPDATE training_jobs SET ${gone} WHERE id = $1`, [id]);
    const second = await start();
    await t.watch(second);
    expect(await age()).toBeGreaterThanOrEqual(0);
    // The usual time goes by.
    await t.killWorkerOf(id);
    await t.watch(second);
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', attempts: 2 });
  });

  it('a job that kills its workers: after three of them it fails, and the next job runs', async () => {
    const worker = await start();
    const id = await interrupted();
    const next = await t.train(model);
    await t.database.pool.query('UPDATE training_jobs SET attempts = 3 WHERE id = $1', [id]);
    await t.killWorkerOf(id);
    await t.watch(worker);
    expect(await t.ended(id)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('died 3 times') });
    expect((await t.types(id)).at(-1)).toBe('training_failed');
    t.engine.release();
    expect(await t.ended(next)).toMatchObject({ state: 'FINISHED', step: 1 });
  });

  it('an engine that breaks its word: other steps than before fail the job, with the reason', async () => {
    await start();
    const id = await interrupted();
    t.engine.extraSteps = 1;
    const second = await start();
    await t.killWorkerOf(id);
    await t.watch(second);
    expect(await t.ended(id)).toMatchObject({
      state: 'FAILED',
      num_sequences: 4,
      error: expect.stringContaining('5 steps'),
    });
    expect((await t.types(id)).filter((type) => type === 'training_started')).toHaveLength(1);
  });

  it('a queue that lost everything: within seconds the worker finds what waits', async () => {
    const id = await t.train(model);
    await t.queue.obliterate({ force: true });
    expect(await t.job(id)).toMatchObject({ state: 'QUEUED' });
    await start();
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED' });
  });

  it('the end of its process: the job is given back at once, and that counts as no attempt', async () => {
    const worker = await start();
    const id = await interrupted();
    workers.splice(workers.indexOf(worker), 1);
    await t.stopWorker(worker);
    expect(await t.job(id)).toMatchObject({ state: 'QUEUED', attempts: 0 });
    t.engine.release();
    await start();
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', attempts: 1 });
    expect((await t.types(id)).filter((type) => type === 'gradient_step')).toHaveLength(4);
  });

  it('a job that is begun again: it has what the engine kept of it, which goes when it has ended', async () => {
    const worker = await start();
    const id = await interrupted();
    const { state } = t.engine.trainings.at(-1)!.request;
    await mkdir(state!);
    const second = await start();
    await t.killWorkerOf(id);
    await worker.get(WorkFoldersService, { strict: false }).prune();
    expect(await readdir(state!)).toEqual([]);
    await t.watch(second);
    await t.ended(id);
    t.engine.release();
    await t.settled();
    const [first, again] = t.engine.trainings.map(({ request }) => request);
    expect(again).toMatchObject({ state, seed: first!.seed, from: first!.from });
    expect(again!.to).not.toBe(first!.to);
    expect(await readdir(join(t.env.DATA_DIR, 'training'))).toEqual([]);
  });

  it('folders that killed workers left: they are removed, but not those of running jobs', async () => {
    const worker = await start();
    const id = await interrupted();
    const root = join(t.env.DATA_DIR, 'training');
    await mkdir(join(root, `${crypto.randomUUID()}-abcdef`));
    await worker.get(WorkFoldersService, { strict: false }).prune();
    expect((await readdir(root)).map((name) => name.slice(0, 36))).toEqual([id]);
  });
});
