import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ArchiveUpkeepModule } from '@heddle/archives';
import { ArtifactStoreModule } from '@heddle/artifacts';
import { AuditRetentionModule } from '@heddle/audit';
import { AutomationDeliveryModule } from '@heddle/automations';
import { ConfigModule, type Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { WorkerHealthModule } from '@heddle/health';
import { HttpModule } from '@heddle/http';
import { ResponseRetentionModule } from '@heddle/inference';
import { JobRouter, QueuesModule } from '@heddle/queues';
import { RunUpkeepModule } from '@heddle/runs';
import { CallRetentionModule, RollupsModule } from '@heddle/tracing';
import { TrainingWorkerModule } from '@heddle/training';
import { CpuWorker } from './cpu.worker.js';
import { GpuWorker } from './gpu.worker.js';
import { WebhooksWorker } from './webhooks.worker.js';

/** The process that takes jobs from the queues: start more of them to scale out. */
@Module({})
export class WorkerModule {
  static forRoot(env: Env): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot('heddle-worker'),
        QueuesModule.forRoot(),
        HttpModule,
        DiscoveryModule,
        ArchiveUpkeepModule,
        ArtifactStoreModule,
        AuditRetentionModule,
        AutomationDeliveryModule,
        CallRetentionModule,
        ResponseRetentionModule,
        RollupsModule,
        RunUpkeepModule,
        TrainingWorkerModule,
        WorkerHealthModule,
      ],
      providers: [JobRouter, CpuWorker, GpuWorker, WebhooksWorker],
    };
  }
}
