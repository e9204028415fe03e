export { PruneTrajectoriesHandler } from './logs/prune-trajectories.handler.js';
export { TrainingModule } from './training.module.js';
export { TrainingWorkerModule } from './training-worker.module.js';
export { TrajectoryBodiesService } from './trajectories/trajectory-bodies.service.js';
