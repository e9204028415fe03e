import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Product } from '../support/product.js';
import { Rest } from '../support/rest.js';

const KEY = `hd_${'k'.repeat(43)}`;
const MODELS = 5;
const JOBS_OF_EACH = 4;
/** Of each process; `npm start` gives up a process that ends more than five times within a minute. */
const KILLS = 4;
const LONGEST_LIFE_MS = 6000;

jest.setTimeout(300_000);

interface Listed<Item> {
  data: Item[];
  has_more: boolean;
  last_id: string;
}
interface Job {
  id: string;
  state: string;
  attempts: number;
  step: number | null;
}
interface Event {
  id: string;
  type: string;
  data: { num_sequences?: number };
}

describe('Training while processes are killed at random', () => {
  let product: Product;
  let rest: Rest;
  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY });
    rest = new Rest(product.url, KEY);
  });
  afterAll(() => product?.remove());

  /** What a patient client does: it asks until it is answered. */
  async function insist<Body>(method: string, path: string, body?: object): Promise<Body> {
    for (const deadline = Date.now() + 60_000; ; await pause(200)) {
      try {
        return await rest.send<Body>(method, path, body);
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  async function all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let after = ''; ;) {
      const page = await insist<Listed<Item>>('GET', `${path}?limit=100${after && `&after=${after}`}`);
      items.push(...page.data);
      if (!page.has_more) return items;
      after = page.last_id;
    }
  }

  const jobsOf = (model: string): Promise<Job[]> => all(`/v1/preview/models/${model}/training-jobs`);

  /** Jobs whose answer was lost with the API count too: a POST that failed is sent again. */
  async function submitJobs(model: string): Promise<void> {
    for (let i = 0; i < JOBS_OF_EACH; i++) {
      await insist('POST', '/v1/preview/training-jobs', {
        model_id: model,
        trajectory_groups: Array.from({ length: 8 }, (_, group) => groupOf(i * 8 + group)),
        experimental_config: { learning_rate: 1e-4, packed_sequence_length: 64 },
      });
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
      () => jobsOf(model),
      (jobs) => jobs.some(({ state }) => state === 'RUNNING'),
    );
  }

  it('ends every job once, with steps that count up by one and no event twice', async () => {
    const models = await Promise.all(
      Array.from({ length: MODELS }, async (_, i) => {
        const fields = { project: 'loom', name: `model-${i}`, base_model: 'heddle/shuttle-1m' };
        return (await insist<{ id: string }>('POST', '/v1/preview/models', fields)).id;
      }),
    );
    const kills = untilOneRuns(models[0]!).then(() => Promise.all((['worker', 'api'] as const).map(killAgainAndAgain)));
    await Promise.all([...models.map(submitJobs), kills]);

    let interrupted = 0;
    for (const model of models) {
      const ended = ({ state }: Job): boolean => state !== 'QUEUED' && state !== 'RUNNING';
      const jobs = await eventually(
        () => jobsOf(model),
        (found) => found.every(ended),
        120_000,
      );
      expect(jobs.length).toBeGreaterThanOrEqual(JOBS_OF_EACH);
      for (const job of jobs) expectOneStory(job, await all(`/v1/preview/training-jobs/${job.id}/events`));
      interrupted += jobs.filter(({ attempts }) => attempts > 1).length;
      const trained = jobs.flatMap(({ step }) => step ?? []).sort((a, b) => a - b);
      expect(trained).toEqual(trained.map((_, i) => i + 1));
      const checkpoints = await all<{ step: number }>(`/v1/preview/models/${model}/checkpoints`);
      expect(checkpoints.map(({ step }) => step)).toEqual(trained);
    }
    expect(interrupted).toBeGreaterThan(0);
  });

  function expectOneStory({ state, step }: Job, events: Event[]): void {
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const types = events.map(({ type }) => type);
    const ends = types.filter((type) => type === 'training_ended' || type === 'training_failed');
    expect(ends).toEqual([state === 'FINISHED' ? 'training_ended' : 'training_failed']);
    expect(types.at(-1)).toBe(ends[0]);
    // Three deaths are all that a job may survive.
    if (state !== 'FINISHED') return expect(step).toBeNull();
    const gradientSteps = types.filter((type) => type === 'gradient_step');
    expect(types).toEqual(['training_started', ...gradientSteps, 'training_ended']);
    expect(gradientSteps).toHaveLength(events[0]!.data.num_sequences!);
  }
});

/** Eight answers to one question, each with a reward of its own. */
function groupOf(question: number): object {
  const trajectories = Array.from({ length: 8 }, (_, reward) => ({
    reward,
    messages_and_choices: [
      { role: 'user', content: `question ${question}` },
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'an answer' },
        prompt_token_ids: [1, 20 + question, 30],
        token_ids: Array.from({ length: 24 }, (_, i) => 40 + reward + i),
        logprobs: { content: Array.from({ length: 24 }, (_, i) => logprob(40 + reward + i)) },
      },
    ],
  }));
  return { trajectories };
}

const logprob = (id: number): object => ({ token: `token_id:${id}`, logprob: -1, bytes: null, top_logprobs: [] });
