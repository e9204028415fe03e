import { Module } from '@nestjs/common';
import { CallsModule } from './calls/calls.module.js';
import { CostsModule } from './costs/costs.module.js';
import { FeedbackModule } from './feedback/feedback.module.js';
import { FilesModule } from './files/files.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { ObjectsModule } from './objects/objects.module.js';
import { OtelModule } from './otel/otel.module.js';
import { RefsModule } from './refs/refs.module.js';
import { ServerModule } from './server/server.module.js';
import { ThreadsModule } from './threads/threads.module.js';
import { TablesModule } from './tables/tables.module.js';
import { UsageModule } from './usage/usage.module.js';

/** The tracing API: what the official Weave SDKs and OpenTelemetry exporters speak. */
@Module({
  imports: [
    CallsModule,
    CostsModule,
    FeedbackModule,
    FilesModule,
    IngestModule,
    ObjectsModule,
    OtelModule,
    RefsModule,
    ServerModule,
    ThreadsModule,
    TablesModule,
    UsageModule,
  ],
})
export class TracingModule {}
