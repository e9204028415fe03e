import type { Attempt } from '@heddle/webhooks';
import type { Decision } from './delivery-policy.js';
import type { DueExecution } from './due-execution.js';

/** An attempt that was made, to be written down. */
export interface AttemptRecord {
  execution: DueExecution;
  startedAt: Date;
  attempt: Attempt;
  decision: Decision;
}
