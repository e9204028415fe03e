import { Module } from '@nestjs/common';
import { ArtifactsModule } from '@heddle/artifacts';
import { ModelsModule } from '@heddle/models';
import { SftUploads } from './data/sft-uploads.service.js';
import { TrainingEventStream } from './events/training-event-stream.service.js';
import { TrainingEventsRepository } from './events/training-events.repository.js';
import { TrainingEventsService } from './events/training-events.service.js';
import { RlJobsService } from './jobs/rl-jobs.service.js';
import { SftJobsService } from './jobs/sft-jobs.service.js';
import { TrainingJobsRepository } from './jobs/training-jobs.repository.js';
import { TrainingJobsService } from './jobs/training-jobs.service.js';
import { SftTrainingJobsController } from './sft-training-jobs.controller.js';
import { TrainingJobEventsController } from './training-job-events.controller.js';
import { TrainingJobsController } from './training-jobs.controller.js';
import { TrainingJobsStoreModule } from './training-jobs-store.module.js';

/** Training jobs over HTTP. Nothing is trained here: see {@link TrainingWorkerModule}. */
@Module({
  imports: [ArtifactsModule, ModelsModule, TrainingJobsStoreModule],
  controllers: [SftTrainingJobsController, TrainingJobEventsController, TrainingJobsController],
  providers: [
    RlJobsService,
    SftJobsService,
    SftUploads,
    TrainingEventsRepository,
    TrainingEventsService,
    TrainingEventStream,
    TrainingJobsRepository,
    TrainingJobsService,
  ],
})
export class TrainingModule {}
