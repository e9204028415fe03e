import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TrajectoryLog } from '@heddle/database';
import { StorageModule } from '@heddle/storage';
import { PruneTrajectoriesHandler } from './logs/prune-trajectories.handler.js';
import { TrajectoryLogsRepository } from './logs/trajectory-logs.repository.js';
import { TrajectoryBodiesService } from './trajectories/trajectory-bodies.service.js';
import { TrajectoryFilesService } from './trajectories/trajectory-files.service.js';

/** Trajectories in files, of jobs and of logs, in the API and in the worker, which also prunes. */
@Module({
  imports: [TypeOrmModule.forFeature([TrajectoryLog]), StorageModule],
  providers: [PruneTrajectoriesHandler, TrajectoryBodiesService, TrajectoryFilesService, TrajectoryLogsRepository],
  exports: [TrajectoryBodiesService, TrajectoryLogsRepository],
})
export class TrajectoryStoreModule {}
