import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { EngineModule } from '@heddle/base-models';
import { ServingState } from '@heddle/process';
import { StorageModule } from '@heddle/storage';
import { TerminusModule } from '@nestjs/terminus';
import { DependenciesService } from './dependencies.service.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { ProbeHandler } from './probe.handler.js';
import { ProbesController } from './probes.controller.js';
import { QueueProbeService } from './queue-probe.service.js';
import { RequestMetricsMiddleware } from './request-metrics.middleware.js';
import { StoredMetricsService } from './stored-metrics.service.js';
import { SystemCheckService } from './system-check.service.js';

/** What every process serves: `/health/live`, `/health/ready` and `/metrics`. */
@Module({
  // Terminus would log each failed check once more, without its cause.
  imports: [TerminusModule.forRoot({ logger: false }), EngineModule, StorageModule],
  controllers: [ProbesController, MetricsController],
  providers: [DependenciesService, ServingState, HealthService, MetricsService, StoredMetricsService],
  exports: [DependenciesService, HealthService, MetricsService, TerminusModule],
})
class ProcessHealthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestMetricsMiddleware).forRoutes('{*path}');
  }
}

/** Health of the API, and of the whole system as the API sees it. */
@Module({
  imports: [ProcessHealthModule, EngineModule],
  controllers: [HealthController],
  providers: [SystemCheckService, QueueProbeService],
})
export class HealthModule {}

/** Health of a worker, which also answers the API's probes. */
@Module({ imports: [ProcessHealthModule], providers: [ProbeHandler] })
export class WorkerHealthModule {}
