import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Run } from '@heddle/database';
import { EventsModule } from '@heddle/events';
import { RunWriter } from './run.writer.js';
import { RunsRepository } from './runs.repository.js';
import { ConsoleLinesRepository } from './stream/console-lines.repository.js';
import { RunBranchesRepository } from './stream/run-branches.repository.js';
import { RunLinesRepository } from './stream/run-lines.repository.js';

/** What other features write runs with, in the API and in the worker: no routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Run]), EventsModule],
  providers: [ConsoleLinesRepository, RunBranchesRepository, RunLinesRepository, RunWriter, RunsRepository],
  exports: [ConsoleLinesRepository, RunBranchesRepository, RunLinesRepository, RunWriter, RunsRepository],
})
export class RunWriterModule {}
