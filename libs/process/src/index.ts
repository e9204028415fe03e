export { DeadlineError, withDeadline } from './deadline.js';
export { type RunningService, runService } from './run-service.js';
