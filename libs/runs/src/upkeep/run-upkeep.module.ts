import { Module } from '@nestjs/common';
import { RunWriterModule } from '../run-writer.module.js';
import { CrashedRunsHandler } from './crashed-runs.handler.js';

/** For the worker: looks after runs whose clients are gone. */
@Module({ imports: [RunWriterModule], providers: [CrashedRunsHandler] })
export class RunUpkeepModule {}
