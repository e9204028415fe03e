import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One for the process: whoever counts needs no module, and whoever is scraped shows them all. */
export const productMetrics = new Registry();

const registers = [productMetrics];
/** A minute to ten hours. */
const JOB_SECONDS = [10, 60, 300, 900, 1800, 3600, 7200, 14_400, 36_000];

/**
 * What this process did since it started. Labels are words of this file: no ids, no names of tenants, so that the number of
 * series never grows.
 */
export const deliveries = new Counter({
  name: 'heddle_webhook_deliveries_total',
  help: 'Attempts at deliveries to webhooks by what came of them',
  labelNames: ['outcome'] as const,
  registers,
});

export const endedExecutions = new Counter({
  name: 'heddle_automation_executions_ended_total',
  help: 'Executions of automations by how they ended',
  labelNames: ['state'] as const,
  registers,
});

export const firings = new Counter({
  name: 'heddle_automation_firings_total',
  help: 'Automations that matched an event; those that a limit held back are skipped',
  labelNames: ['result'] as const,
  registers,
});

export const endedJobs = new Histogram({
  name: 'heddle_training_job_duration_seconds',
  help: 'Time from the start of a training job to its end, by its last state',
  labelNames: ['kind', 'state'] as const,
  buckets: JOB_SECONDS,
  registers,
});

export const trainedTokens = new Counter({
  name: 'heddle_training_tokens_total',
  help: 'Tokens that gradient steps were computed for',
  labelNames: ['kind'] as const,
  registers,
});

export const meanReward = new Gauge({
  name: 'heddle_training_reward_mean',
  help: 'Mean reward of the reinforcement-learning job that this process finished last',
  registers,
});

export const sampledTokens = new Counter({
  name: 'heddle_sampled_tokens_total',
  help: 'Tokens of answers',
  registers,
});

export const ingestedCalls = new Counter({
  name: 'heddle_traced_calls_total',
  help: 'Starts, ends and whole calls that were stored',
  registers,
});

for (const outcome of ['delivered', 'failed', 'blocked']) deliveries.inc({ outcome }, 0);
for (const state of ['finished', 'failed', 'skipped']) endedExecutions.inc({ state }, 0);
for (const result of ['fired', 'skipped']) firings.inc({ result }, 0);
for (const kind of ['rl', 'sft']) trainedTokens.inc({ kind }, 0);
