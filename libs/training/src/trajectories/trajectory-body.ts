import type { JsonNode } from '@heddle/json';
import type { TrajectoryStatistics } from './trajectory-statistics.js';

/** A body with `trajectory_groups` that the engine can read. Its nodes are views of the request's bytes. */
export interface TrajectoryBody {
  /** The whole body: other fields than the groups are for the route to check. */
  root: JsonNode;
  groups: readonly JsonNode[];
  statistics: TrajectoryStatistics;
}

/** Groups that lie in a file. */
export interface StoredTrajectories {
  /** Below the data directory. */
  path: string;
  /** Of the file. */
  bytes: number;
  statistics: TrajectoryStatistics;
}
