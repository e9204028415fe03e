import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TrainingSystem } from './training-system.js';

const cancelPath = (id: string): string => `/v1/preview/training-jobs/${id}/cancel`;
/** A second, and what a busy machine adds. */
const NOTICED_MS = 4000;

describe('a job that is cancelled', () => {
  let t: TrainingSystem;
  let model: string;
  let worker: INestApplication;
  beforeAll(async () => {
    t = await TrainingSystem.start();
    worker = await t.startWorker();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    t.engine.reset();
    t.published.length = 0;
    model = await t.model();
    t.engine.holdAt(1);
  });

  /** A job in the middle of its training. */
  async function running(): Promise<string> {
    const id = await t.train(model);
    await t.untilEvents(id, 2);
    return id;
  }

  it('is over at once while it waits, and the next one takes its place', async () => {
    const [first, second, third] = [await running(), await t.train(model), await t.train(model)];
    const answer = await t.ask('POST', cancelPath(second));
    expect(answer.body).toMatchObject({ id: second, state: 'CANCELLED', error: null, ended_at: expect.any(String) });
    expect(await t.events(second)).toEqual([
      { id: expect.any(String), type: 'training_failed', data: { error_message: 'The job was cancelled' } },
    ]);
    t.engine.release();
    expect([(await t.ended(first))['step'], (await t.ended(third))['step']]).toEqual([1, 2]);
    expect(t.engine.trainings).toHaveLength(2);
  });

  it('stops within a second or so while it runs, leaves no checkpoint, and its folder goes', async () => {
    const id = await running();
    const asked = Date.now();
    expect((await t.ask('POST', cancelPath(id))).body).toMatchObject({ state: 'RUNNING', cancel_requested: true });
    expect(await t.ended(id)).toMatchObject({ state: 'CANCELLED', step: null });
    expect(Date.now() - asked).toBeLessThan(NOTICED_MS);
    expect(t.engine.trainings[0]!.aborted).toBe(true);
    expect(await t.types(id)).toEqual(['training_started', 'gradient_step', 'training_failed']);
    expect(await t.steps(model)).toEqual([]);
    await t.settled();
    expect(await readdir(join(t.env.DATA_DIR, 'training'))).toEqual([]);
    const states = t.published.flatMap((event) => (event.type === 'TRAINING_JOB_STATE' ? event.state : []));
    expect(states).toEqual(['RUNNING', 'CANCELLED']);
  });

  it('ends by the watchdog where its worker died', async () => {
    const id = await running();
    await t.database.pool.query('UPDATE training_jobs SET cancel_requested_at = now() WHERE id = $1', [id]);
    await t.killWorkerOf(id);
    await t.watch(worker);
    expect(await t.job(id)).toMatchObject({ state: 'CANCELLED', attempts: 1 });
    expect((await t.types(id)).at(-1)).toBe('training_failed');
  });

  it('stays as it is once it has ended', async () => {
    t.engine.release();
    const id = await t.train(model);
    const before = await t.ended(id);
    expect((await t.ask('POST', cancelPath(id))).body).toEqual(before);
    expect((await t.types(id)).at(-1)).toBe('training_ended');
  });

  it('with its model disappears without a trace', async () => {
    const id = await running();
    const waiting = await t.train(model);
    expect((await t.ask('DELETE', `/v1/preview/models/${model}`)).status).toBe(200);
    await t.settled();
    expect(t.engine.trainings).toMatchObject([{ aborted: true }]);
    for (const job of [id, waiting]) expect((await t.ask('GET', `/v1/preview/training-jobs/${job}`)).status).toBe(404);
    await t.settled();
    expect(await readdir(join(t.env.DATA_DIR, 'training'))).toEqual([]);
    const { rows } = await t.database.pool.query('SELECT FROM training_job_events e WHERE job_id = ANY($1)', [
      [id, waiting],
    ]);
    expect(rows).toEqual([]);
  });

  it('with its model at the very end leaves no checkpoint behind', async () => {
    t.engine.holdAt(2);
    const id = await t.train(model);
    await t.untilEvents(id, 3);
    await t.ask('DELETE', `/v1/preview/models/${model}`);
    t.engine.release();
    await t.settled();
    const { rows } = await t.database.pool.query('SELECT FROM checkpoints WHERE model_id = $1', [model]);
    expect(rows).toEqual([]);
    await t.settled();
    expect(await readdir(join(t.env.DATA_DIR, 'training'))).toEqual([]);
  });
});
