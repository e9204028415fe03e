import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Webhook } from '@heddle/database';
import { WebhookDeliveryModule } from '@heddle/webhooks';
import { AutomationFiringModule } from './automation-firing.module.js';
import { AttemptRecordsRepository } from './delivery/attempt-records.repository.js';
import { DeliverHandler } from './delivery/deliver.handler.js';
import { DeliveryPump } from './delivery/delivery.pump.js';
import { DueExecutionsRepository } from './delivery/due-executions.repository.js';
import { ExecutionSender } from './delivery/execution.sender.js';
import { LanesRepository } from './delivery/lanes.repository.js';
import { OwnedLanesService } from './delivery/owned-lanes.service.js';
import { PlannedTimesRepository } from './delivery/planned-times.repository.js';
import { PlannedTimesService } from './delivery/planned-times.service.js';
import { PruneHistoryHandler } from './delivery/prune-history.handler.js';
import { WebhookHealthService } from './delivery/webhook-health.service.js';

/** The worker's part: delivers what was fired, and forgets old history. It fires what the worker's own changes cause, too. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), WebhookDeliveryModule, AutomationFiringModule],
  providers: [
    AttemptRecordsRepository,
    DeliverHandler,
    DeliveryPump,
    DueExecutionsRepository,
    ExecutionSender,
    LanesRepository,
    OwnedLanesService,
    PlannedTimesRepository,
    PlannedTimesService,
    PruneHistoryHandler,
    WebhookHealthService,
  ],
  exports: [DeliveryPump],
})
export class AutomationDeliveryModule {}
