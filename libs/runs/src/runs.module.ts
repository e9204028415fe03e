import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Run } from '@heddle/database';
import { ProjectsModule } from '@heddle/projects';
import { ChartController } from './chart/chart.controller.js';
import { ChartRepository } from './chart/chart.repository.js';
import { RunChartService } from './chart/run-chart.service.js';
import { HistoryController } from './history.controller.js';
import { RunHistoryRepository } from './run-history.repository.js';
import { RunHistoryService } from './run-history.service.js';
import { RunWriterModule } from './run-writer.module.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

/** Runs and their metrics, over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([Run]), ProjectsModule, RunWriterModule],
  controllers: [RunsController, HistoryController, ChartController],
  providers: [ChartRepository, RunChartService, RunHistoryRepository, RunHistoryService, RunsService],
})
export class RunsModule {}
