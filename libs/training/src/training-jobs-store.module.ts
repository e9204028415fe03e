import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TrainingJob } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { JobEndings } from './jobs/job-endings.service.js';
import { JobNews } from './jobs/job-news.service.js';
import { TrainingQueue } from './jobs/training-queue.service.js';

/** What the API and the worker both do to jobs. */
@Module({
  imports: [TypeOrmModule.forFeature([TrainingJob]), EventsModule],
  providers: [JobEndings, JobNews, TrainingQueue],
  exports: [JobEndings, JobNews, TrainingQueue, TypeOrmModule],
})
export class TrainingJobsStoreModule {}
