export type { MetricPoint } from './metric-point.js';
export { type LoggedMetrics, type NewRun, type RunChanges, RunWriter } from './run-writer.service.js';
export { RunWriterModule } from './run-writer.module.js';
export { RunExistsError, RunNotFoundError } from './runs.errors.js';
export { RunsModule } from './runs.module.js';
