export { type AdapterLease, AdapterStore } from './checkpoints/adapter-store.service.js';
export {
  CheckpointReader,
  type OpenAdapter,
  type ResolvedCheckpoint,
} from './checkpoints/checkpoint-reader.service.js';
export { CheckpointWriter, type NewCheckpoint } from './checkpoints/checkpoint-writer.service.js';
export { CheckpointInUseError, CheckpointNotFoundError, NotAnAdapterError } from './checkpoints/checkpoints.errors.js';
export { CheckpointsRepository } from './checkpoints/checkpoints.repository.js';
export { PruneTrajectoriesHandler } from './logs/prune-trajectories.handler.js';
export { ModelStoreModule } from './model-store.module.js';
export { ModelsModule } from './models.module.js';
export { ModelAccess } from './models/model-access.service.js';
export { type ModelName, type ModelRef } from './models/model-ref.js';
export { ModelNotFoundError } from './models/models.errors.js';
export { ModelsRepository } from './models/models.repository.js';
export { TrajectoriesMissingError } from './trajectories/trajectories.errors.js';
export { TRAJECTORY_GROUPS_EXAMPLE, TrajectoryGroups } from './trajectories/trajectories.schema.js';
export type { StoredTrajectories, TrajectoryBody } from './trajectories/trajectory-body.js';
export { TRAJECTORY_BODY_LIMIT, TrajectoryBodies } from './trajectories/trajectory-bodies.service.js';
export { TrajectoryStatistics } from './trajectories/trajectory-statistics.js';
