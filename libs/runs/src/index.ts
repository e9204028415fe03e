export type { MetricPoint } from './metric-point.js';
export { MAX_METRIC_NAME_LENGTH, MAX_VALUES } from './metric-columns.js';
export type { NewRun, RunChanges, RunDetails } from './run-changes.js';
export { type LoggedMetrics, RunWriter } from './run.writer.js';
export { RunWriterModule } from './run-writer.module.js';
export { RunExistsError, RunNotFoundError } from './runs.errors.js';
export { RunsModule } from './runs.module.js';
export { type RunFilter, RunsRepository } from './runs.repository.js';
export { ConsoleLinesRepository } from './stream/console-lines.repository.js';
export { RunBranchesRepository } from './stream/run-branches.repository.js';
export {
  type HistoryLine,
  type LineStream,
  type NewLines,
  RunLinesRepository,
  type StoredLine,
} from './stream/run-lines.repository.js';
export { CrashedRunsHandler } from './upkeep/crashed-runs.handler.js';
export { RunUpkeepModule } from './upkeep/run-upkeep.module.js';
export { readLenient } from './stream/lenient-json.js';
export { RUN_TABLES, RUNS_BY_NAME } from './run-archive.js';
