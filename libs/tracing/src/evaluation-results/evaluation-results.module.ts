import { Module } from '@nestjs/common';
import { EvaluationRunsModule } from '../evaluation-runs/evaluation-runs.module.js';
import { RefsModule } from '../refs/refs.module.js';
import { EvaluationResultsController } from './evaluation-results.controller.js';
import { EvaluationResultsService } from './evaluation-results.service.js';
import { EvaluationTrialsService } from './evaluation-trials.service.js';

@Module({
  imports: [EvaluationRunsModule, RefsModule],
  controllers: [EvaluationResultsController],
  providers: [EvaluationResultsService, EvaluationTrialsService],
})
export class EvaluationResultsModule {}
