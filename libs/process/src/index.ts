export { DataFolderError, requireDataFolder } from './data-folder.js';
export { DeadlineError, withDeadline } from './deadline.js';
export { Draining } from './draining.js';
export { type RunningService, runService } from './run-service.js';
