import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TrainingJob } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { JobEndingsService } from './jobs/job-endings.service.js';
import { JobNewsService } from './jobs/job-news.service.js';
import { TrainingQueue } from './jobs/training.queue.js';

/** What the API and the worker both do to jobs. */
@Module({
  imports: [TypeOrmModule.forFeature([TrainingJob]), EventsModule],
  providers: [JobEndingsService, JobNewsService, TrainingQueue],
  exports: [JobEndingsService, JobNewsService, TrainingQueue, TypeOrmModule],
})
export class TrainingJobsStoreModule {}
