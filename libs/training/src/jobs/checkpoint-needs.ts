import type { TrainingJob } from '@heddle/database';
import { klReferenceStep, RL_SETTINGS } from '@heddle/engine';
import type { CheckpointUse } from '@heddle/models';

export type OpenJob = Pick<TrainingJob, 'id' | 'kind' | 'state' | 'config' | 'fromStep' | 'numSequences'>;

/**
 * The checkpoints that jobs of one model need which are not over: those that they go on from or compare with.
 * @param jobs in the order in which they run
 * @param latest the step that the next of them goes on from; each one before a job may make one more
 */
export const checkpointNeeds = (jobs: readonly OpenJob[], latest: number): CheckpointUse[] =>
  jobs.flatMap((job, ahead) => {
    const start = startsOf(job, latest, ahead);
    const from = { ...start, why: `is being trained from by job '${job.id}'` };
    return [...(job.state === 'RUNNING' && job.fromStep !== null ? [from] : []), ...referencesOf(job, start)];
  });

function referencesOf(job: OpenJob, start: { from: number; to: number }): CheckpointUse[] {
  if (job.kind !== 'rl') return [];
  const config = RL_SETTINGS.known(JSON.parse(job.config) as Record<string, unknown>);
  const [from, to] = [klReferenceStep(config, start.from), klReferenceStep(config, start.to)];
  return from === null || to === null
    ? []
    : [{ from, to, why: `is what the KL penalty of job '${job.id}' compares with` }];
}

/** Fixed while a job runs, and from when it has told how many steps it has. */
function startsOf({ state, fromStep, numSequences }: OpenJob, latest: number, ahead: number) {
  const isFixed = fromStep !== null && (state === 'RUNNING' || numSequences !== null);
  return isFixed ? { from: fromStep, to: fromStep } : { from: latest, to: latest + ahead };
}
