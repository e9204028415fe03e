import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Run } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { RunWriter } from './run-writer.service.js';
import { RunsRepository } from './runs.repository.js';

/** What other features write runs with, in the API and in the worker: no routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Run]), EventsModule],
  providers: [RunWriter, RunsRepository],
  exports: [RunWriter, RunsRepository],
})
export class RunWriterModule {}
