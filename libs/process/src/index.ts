export { type RunningService, runService } from './run-service.js';
