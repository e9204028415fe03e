export { DataFolderError, requireDataFolder } from './data-folder.js';
export { DeadlineError, withDeadline } from './deadline.js';
export { ServingState } from './serving.state.js';
export { type RunningService, runService } from './run-service.js';
