import { checkpointNeeds, type OpenJob } from './checkpoint-needs.js';

const job = (id: string, config: object, fields: Partial<OpenJob> = {}): OpenJob => ({
  id,
  kind: 'rl',
  state: 'QUEUED',
  config: JSON.stringify(config),
  fromStep: null,
  numSequences: null,
  ...fields,
});
const needs = (...jobs: OpenJob[]) => checkpointNeeds(jobs, 5).map(({ from, to, why }) => `${from}-${to} ${why}`);

describe('checkpoints that open jobs need', () => {
  it('are none for jobs that wait and compare with nothing', () => {
    expect(needs(job('a', {}), job('b', { kl_penalty_reference_step: 2 }), job('c', {}, { kind: 'sft' }))).toEqual([]);
  });

  it('are those that are trained from', () => {
    expect(needs(job('a', {}, { state: 'RUNNING', fromStep: 4 }))).toEqual(["4-4 is being trained from by job 'a'"]);
    expect(needs(job('a', {}, { state: 'RUNNING' }))).toEqual([]);
  });

  it('are those that a KL penalty compares with', () => {
    const why = "is what the KL penalty of job 'a' compares with";
    expect(needs(job('a', { kl_penalty_coef: 0.1, kl_penalty_reference_step: 2 }))).toEqual([`2-2 ${why}`]);
    expect(needs(job('a', { kl_penalty_coef: 0.1, kl_penalty_step_lag: 2 }))).toEqual([`3-3 ${why}`]);
    expect(needs(job('a', { kl_penalty_coef: 0.1 }))).toEqual([`0-0 ${why}`]);
  });

  it('are all that a lag may come to, where other jobs make checkpoints before', () => {
    const lag = { kl_penalty_coef: 0.1, kl_penalty_step_lag: 3 };
    const running = job('a', {}, { state: 'RUNNING', fromStep: 5 });
    expect(needs(running, job('b', {}), job('c', lag))).toContain(
      "2-4 is what the KL penalty of job 'c' compares with",
    );
  });

  it('are known exactly once a job has begun', () => {
    const lag = { kl_penalty_coef: 0.1, kl_penalty_step_lag: 1 };
    const again = job('a', lag, { fromStep: 3, numSequences: 7 });
    expect(needs(again)).toEqual(["2-2 is what the KL penalty of job 'a' compares with"]);
    expect(needs(job('b', lag, { fromStep: 3 }))).toEqual(["4-4 is what the KL penalty of job 'b' compares with"]);
  });
});
