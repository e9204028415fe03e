import { Module } from '@nestjs/common';
import { CallsModule } from './calls/calls.module.js';
import { GraphqlModule } from './graphql/graphql.module.js';
import { ObjectsModule } from './objects/objects.module.js';
import { OtelModule } from './otel/otel.module.js';
import { ServerModule } from './server/server.module.js';

/** The tracing API: what the official Weave SDKs and OpenTelemetry exporters speak. */
@Module({ imports: [CallsModule, ObjectsModule, OtelModule, GraphqlModule, ServerModule] })
export class TracingModule {}
