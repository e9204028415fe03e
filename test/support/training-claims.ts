import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import type { PatientRest } from './patient-rest.js';

export interface Job {
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

const ENDED_WITHIN_MS = 120_000;

export const jobsOf = (rest: PatientRest, model: string): Promise<Job[]> =>
  rest.all(`/v1/preview/models/${model}/training-jobs`);

/**
 * Waits until all jobs of a model have ended. Each has one story; those that are trained have steps that count up by one, and
 * the model has a checkpoint for each.
 */
export async function expectTrainedOnce(rest: PatientRest, model: string): Promise<Job[]> {
  const hasEnded = ({ state }: Job): boolean => state !== 'QUEUED' && state !== 'RUNNING';
  const jobs = await eventually(
    () => jobsOf(rest, model),
    (found) => found.every(hasEnded),
    ENDED_WITHIN_MS,
  );
  for (const job of jobs) expectOneStory(job, await rest.all(`/v1/preview/training-jobs/${job.id}/events`));
  const trained = jobs.flatMap(({ step }) => step ?? []).sort((a, b) => a - b);
  expect(trained).toEqual(trained.map((_, i) => i + 1));
  const checkpoints = await rest.all<{ step: number }>(`/v1/preview/models/${model}/checkpoints`);
  expect(checkpoints.map(({ step }) => step)).toEqual(trained);
  return jobs;
}

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

/** A job of eight groups, which differs by its number. */
export const rlJob = (model: string, number: number): object => ({
  model_id: model,
  trajectory_groups: Array.from({ length: 8 }, (_, group) => groupOf(number * 8 + group)),
  experimental_config: { learning_rate: 1e-4, packed_sequence_length: 64 },
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
