import type { AutomationAttempt, AutomationExecution } from '@heddle/database';

/** An execution with what a list says of it. */
export interface ExecutionView {
  execution: AutomationExecution;
  automationName: string;
  /** The newest attempt, if there was one. */
  last: Pick<AutomationAttempt, 'status' | 'errorCode' | 'error'> | null;
  /** Until when its webhook is sent nothing. */
  pausedUntil: Date | null;
}
