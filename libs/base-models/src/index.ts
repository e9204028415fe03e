export { BaseModelsModule } from './base-models.module.js';
export { BaseModelsService } from './base-models.service.js';
export { ENGINE, EngineModule, InjectEngine } from './engine.module.js';
