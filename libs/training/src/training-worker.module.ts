import { Module } from '@nestjs/common';
import { ArtifactStoreModule } from '@heddle/artifacts';
import { EngineModule } from '@heddle/base-models';
import { ModelStoreModule } from '@heddle/models';
import { RunWriterModule } from '@heddle/runs';
import { SftFilesReader } from './jobs/sft/sft-files.reader.js';
import { PruneWorkFoldersHandler } from './running/prune-work-folders.handler.js';
import { TrainHandler } from './running/train.handler.js';
import { TrainingAttemptService } from './running/training-attempt.service.js';
import { TrainingClaimsRepository } from './running/training-claims.repository.js';
import { TrainingDataService } from './running/training-data.service.js';
import { SftMetricLogService } from './running/sft-metric-log.service.js';
import { TrainingProgressRepository } from './running/training-progress.repository.js';
import { TrainingRunner } from './running/training.runner.js';
import { TrainingWatchdogHandler } from './running/training-watchdog.handler.js';
import { WorkFoldersService } from './running/work-folders.service.js';
import { TrainingJobsStoreModule } from './training-jobs-store.module.js';
import { TrajectoryStoreModule } from './trajectory-store.module.js';

/** The worker's part: trains. */
@Module({
  imports: [
    ArtifactStoreModule,
    EngineModule,
    ModelStoreModule,
    RunWriterModule,
    TrainingJobsStoreModule,
    TrajectoryStoreModule,
  ],
  providers: [
    PruneWorkFoldersHandler,
    SftFilesReader,
    TrainHandler,
    TrainingAttemptService,
    TrainingClaimsRepository,
    TrainingDataService,
    SftMetricLogService,
    TrainingProgressRepository,
    TrainingRunner,
    TrainingWatchdogHandler,
    WorkFoldersService,
  ],
  exports: [TrainingRunner],
})
export class TrainingWorkerModule {}
