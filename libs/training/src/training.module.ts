import { Module } from '@nestjs/common';
import { ArtifactsModule } from '@heddle/artifacts';
import { ModelsModule } from '@heddle/models';
import { SftUploadsService } from './jobs/sft/sft-uploads.service.js';
import { TrainingEventStream } from './events/training-event.stream.js';
import { TrainingEventsRepository } from './events/training-events.repository.js';
import { TrainingEventsService } from './events/training-events.service.js';
import { ModelTrainingPart } from './jobs/model-training.part.js';
import { KlReferencesService } from './jobs/rl/kl-references.service.js';
import { RlJobsService } from './jobs/rl/rl-jobs.service.js';
import { SftFilesReader } from './jobs/sft/sft-files.reader.js';
import { SftJobsService } from './jobs/sft/sft-jobs.service.js';
import { TrainingJobsRepository } from './jobs/training-jobs.repository.js';
import { TrainingJobsService } from './jobs/training-jobs.service.js';
import { TrainingUsesPart } from './jobs/training-uses.part.js';
import { TrajectoryLogsController } from './logs/trajectory-logs.controller.js';
import { TrajectoryLogsService } from './logs/trajectory-logs.service.js';
import { SftTrainingJobsController } from './jobs/sft/sft-training-jobs.controller.js';
import { TrainingJobEventsController } from './events/training-job-events.controller.js';
import { TrainingJobsController } from './jobs/training-jobs.controller.js';
import { TrainingJobsStoreModule } from './training-jobs-store.module.js';
import { TrajectoryStoreModule } from './trajectory-store.module.js';

/** Training jobs, and logged trajectories, over HTTP. Nothing is trained here: see {@link TrainingWorkerModule}. */
@Module({
  imports: [ArtifactsModule, ModelsModule, TrainingJobsStoreModule, TrajectoryStoreModule],
  controllers: [
    SftTrainingJobsController,
    TrainingJobEventsController,
    TrainingJobsController,
    TrajectoryLogsController,
  ],
  providers: [
    KlReferencesService,
    ModelTrainingPart,
    RlJobsService,
    SftFilesReader,
    SftJobsService,
    SftUploadsService,
    TrainingEventsRepository,
    TrainingEventsService,
    TrainingEventStream,
    TrainingJobsRepository,
    TrainingJobsService,
    TrainingUsesPart,
    TrajectoryLogsService,
  ],
})
export class TrainingModule {}
