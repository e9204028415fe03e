export { BaseModelsModule } from './base-models.module.js';
export { BaseModelDownloadingError, BaseModelFailedError } from './base-models.errors.js';
export { BaseModelsService } from './base-models.service.js';
export { ENGINE, EngineModule, InjectEngine } from './engine.module.js';
