import { HandlesJob, type JobHandler } from '@heddle/queues';

export const PROBE_JOB = 'probe';

/** The worker's side of the system check: that it runs at all is the answer. */
@HandlesJob({ name: PROBE_JOB, queues: ['cpu', 'gpu'] })
export class ProbeHandler implements JobHandler {
  async handle(): Promise<void> {}
}
