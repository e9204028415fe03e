export { BaseModelsModule } from './base-models.module.js';
export { BaseModelDownloadingError, BaseModelFailedError } from './base-models.errors.js';
export type { DownloadStatus } from './hub/download-status.js';
export { HubFailure } from './hub/hub-failure.js';
export { formatBytes } from './format-bytes.js';
export { type KeptModel, ModelShelf, ModelShelfError } from './model-shelf.js';
export { InvalidBaseModelsFileError } from './file/base-models-file.errors.js';
export { BaseModelsService } from './base-models.service.js';
export { ENGINE, EngineModule, InjectEngine } from './engine.module.js';
