import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { prepareQueues } from '@heddle/queues';
import { JobFailedError } from '../../../libs/training/src/training.errors.js';
import { RestartableDatabase } from '../../support/restartable-database.js';
import { TrainingSystem } from './training-system.js';

const STEPS = 4;

describe('a training job while the database is away', () => {
  let database: RestartableDatabase;
  let t: TrainingSystem;
  let model: string;
  beforeAll(async () => {
    database = await RestartableDatabase.start();
    await prepareQueues(Env.from({ NODE_ENV: 'test', DATABASE_URL: database.url }));
    t = await TrainingSystem.start({}, database);
    await t.startWorker();
  }, 60_000);
  afterAll(() => t.close());
  beforeEach(async () => {
    t.engine.reset();
    model = await t.model();
  });

  /** Away for a moment, while the job does what it was held from. */
  async function outage(during: () => void): Promise<void> {
    await database.crash('SIGQUIT');
    during();
    await pause(700);
    await database.recover();
  }
  const heldAt = (step: number) => {
    const training = t.engine.trainings.at(-1)!;
    training.heldAt = step;
    t.engine['released'].dispatchEvent(new Event('release'));
  };

  it('trains on, and what it tells is written when the database is back', async () => {
    t.engine.holdAt(1);
    const id = await t.train(model, STEPS);
    await t.untilEvents(id, 2);
    await outage(() => t.engine.release());
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', attempts: 1, step: 1 });
    expect(await t.types(id)).toEqual(['training_started', ...Array(STEPS).fill('gradient_step'), 'training_ended']);
    expect(t.engine.trainings).toHaveLength(1);
  }, 60_000);

  it('survives one after the other, more than it has attempts: at its steps and at its end', async () => {
    t.engine.holdAt(1);
    const id = await t.train(model, STEPS);
    await t.untilEvents(id, 2);
    for (let step = 2; step <= STEPS; step++) {
      await outage(() => heldAt(step));
      await t.untilEvents(id, step + 1);
    }
    await outage(() => t.engine.release());
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', step: 1 });
    expect((await t.types(id)).filter((type) => type === 'gradient_step')).toHaveLength(STEPS);
    expect(await t.steps(model)).toEqual([1]);
    expect(await t.history(model)).toHaveLength(1);
  }, 60_000);

  it('fails of what is its own fault, as soon as it can be written', async () => {
    t.engine.holdAt(1);
    const id = await t.train(model, STEPS);
    await t.untilEvents(id, 2);
    t.engine.failure = { step: 1, error: new JobFailedError('the data is bad') };
    await outage(() => t.engine.release());
    expect(await t.ended(id)).toMatchObject({ state: 'FAILED', error: 'the data is bad', attempts: 1 });
  }, 60_000);
});
