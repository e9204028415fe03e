import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PatientRest } from '../support/patient-rest.js';
import { Product } from '../support/product.js';
import { expectTrainedOnce, jobsOf, rlJob } from '../support/training-claims.js';

const KEY = `hd_${'k'.repeat(43)}`;
const MODELS = 5;
const JOBS_OF_EACH = 4;
/** Of each process; `npm start` gives up a process that ends more than five times within a minute. */
const KILLS = 4;
const LONGEST_LIFE_MS = 6000;

jest.setTimeout(300_000);

describe('Training while processes are killed at random', () => {
  let product: Product;
  let rest: PatientRest;
  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY });
    rest = new PatientRest([product.url], KEY);
  });
  afterAll(() => product?.remove());

  /** Jobs whose answer was lost with the API count too: a POST that failed is sent again. */
  async function submitJobs(model: string): Promise<void> {
    for (let i = 0; i < JOBS_OF_EACH; i++) {
      await rest.send('POST', '/v1/preview/training-jobs', rlJob(model, i));
      await pause(Math.random() * 2000);
    }
  }

  async function killAgainAndAgain(process: 'api' | 'worker'): Promise<void> {
    for (let i = 0; i < KILLS; i++) {
      await eventually(
        () => product.kill9(process),
        (killed) => killed,
      );
      await pause(Math.random() * LONGEST_LIFE_MS);
    }
  }

  /** Where nothing runs, nobody is hurt. */
  async function untilOneRuns(model: string): Promise<void> {
    await eventually(
      () => jobsOf(rest, model),
      (jobs) => jobs.some(({ state }) => state === 'RUNNING'),
    );
  }

  it('ends every job once, with steps that count up by one and no event twice', async () => {
    const models = await Promise.all(
      Array.from({ length: MODELS }, async (_, i) => {
        const fields = { project: 'loom', name: `model-${i}`, base_model: 'heddle/shuttle-1m' };
        return (await rest.send<{ id: string }>('POST', '/v1/preview/models', fields)).id;
      }),
    );
    const kills = untilOneRuns(models[0]!).then(() => Promise.all((['worker', 'api'] as const).map(killAgainAndAgain)));
    await Promise.all([...models.map(submitJobs), kills]);

    let interrupted = 0;
    for (const model of models) {
      const jobs = await expectTrainedOnce(rest, model);
      expect(jobs.length).toBeGreaterThanOrEqual(JOBS_OF_EACH);
      interrupted += jobs.filter(({ attempts }) => attempts > 1).length;
    }
    expect(interrupted).toBeGreaterThan(0);
  });
});
