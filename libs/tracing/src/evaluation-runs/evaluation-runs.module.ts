import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CallsModule } from '../calls/calls.module.js';
import { FeedbackModule } from '../feedback/feedback.module.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { PublishedModule } from '../published/published.module.js';
import { RefsModule } from '../refs/refs.module.js';
import { TablesModule } from '../tables/tables.module.js';
import { EvaluationCallsService } from './evaluation-calls.service.js';
import { EvaluationStatusService } from './evaluation-status.service.js';
import { EvaluationsController } from './evaluations.controller.js';
import { EvaluationRunsController } from './evaluation-runs.controller.js';
import { EvaluationRunsService } from './evaluation-runs.service.js';
import { PredictionsController } from './predictions.controller.js';
import { PredictionsService } from './predictions.service.js';
import { ScoresController } from './scores.controller.js';
import { ScoresService } from './scores.service.js';

@Module({
  imports: [ProjectsModule, CallsModule, FeedbackModule, IngestModule, PublishedModule, RefsModule, TablesModule],
  controllers: [EvaluationRunsController, EvaluationsController, PredictionsController, ScoresController],
  providers: [
    EvaluationCallsService,
    EvaluationRunsService,
    EvaluationStatusService,
    PredictionsService,
    ScoresService,
  ],
  exports: [EvaluationCallsService],
})
export class EvaluationRunsModule {}
