export { type AdapterLease, AdapterStore } from './checkpoints/adapter.store.js';
export { CheckpointReader, type OpenAdapter, type ResolvedCheckpoint } from './checkpoints/checkpoint.reader.js';
export {
  type CheckpointUse,
  type CheckpointUser,
  CheckpointUsesRegistry,
} from './checkpoints/checkpoint-uses.registry.js';
export { CheckpointWriter, type NewCheckpoint } from './checkpoints/checkpoint.writer.js';
export { CheckpointInUseError, CheckpointNotFoundError, NotAnAdapterError } from './checkpoints/checkpoints.errors.js';
export { CheckpointsRepository } from './checkpoints/checkpoints.repository.js';
export { ModelStoreModule } from './model-store.module.js';
export { ModelsModule } from './models.module.js';
export { ModelPath } from './models/model.dto.js';
export { ModelAccessService } from './models/model-access.service.js';
export { type AfterDeletion, ModelDeletionService, type ModelPart } from './models/model-deletion.service.js';
export { hasBeenTrained, type ModelName, type ModelRef } from './models/model-ref.js';
export { ModelNotFoundError } from './models/models.errors.js';
export { ModelsRepository } from './models/models.repository.js';
export { MODEL_TABLES } from './model-archive.js';
