import { Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { AnnotationQueuesModule } from './annotation-queues/annotation-queues.module.js';
import { CallsModule } from './calls/calls.module.js';
import { CostsModule } from './costs/costs.module.js';
import { DatasetSourcesModule } from './dataset-sources/dataset-sources.module.js';
import { EvaluationResultsModule } from './evaluation-results/evaluation-results.module.js';
import { EvaluationRunsModule } from './evaluation-runs/evaluation-runs.module.js';
import { FeedbackModule } from './feedback/feedback.module.js';
import { FeedbackReportsModule } from './feedback-reports/feedback-reports.module.js';
import { FilesModule } from './files/files.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { ObjectsModule } from './objects/objects.module.js';
import { OtelModule } from './otel/otel.module.js';
import { ProjectSettingsModule } from './project-settings/project-settings.module.js';
import { PublishedModule } from './published/published.module.js';
import { ProjectDeletionModule } from './retention/project-deletion.module.js';
import { RefsModule } from './refs/refs.module.js';
import { RuntimesModule } from './runtimes/runtimes.module.js';
import { ServerModule } from './server/server.module.js';
import { ThreadsModule } from './threads/threads.module.js';
import { TablesModule } from './tables/tables.module.js';
import { UnbuiltModule } from './unbuilt/unbuilt.module.js';
import { UsageModule } from './usage/usage.module.js';

/** The tracing API: what the official Weave SDKs and OpenTelemetry exporters speak. */
@Module({
  imports: [
    AgentsModule,
    AnnotationQueuesModule,
    CallsModule,
    CostsModule,
    DatasetSourcesModule,
    EvaluationResultsModule,
    EvaluationRunsModule,
    FeedbackModule,
    FeedbackReportsModule,
    FilesModule,
    IngestModule,
    ObjectsModule,
    OtelModule,
    ProjectSettingsModule,
    PublishedModule,
    ProjectDeletionModule,
    RefsModule,
    RuntimesModule,
    ServerModule,
    ThreadsModule,
    TablesModule,
    UnbuiltModule,
    UsageModule,
  ],
})
export class TracingModule {}
