export { TrainingModule } from './training.module.js';
export { TrainingWorkerModule } from './training-worker.module.js';
