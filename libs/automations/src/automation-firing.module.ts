import { Module } from '@nestjs/common';
import { EventsModule } from '@heddle/events';
import { Clock } from './delivery/clock.js';
import { DeliveryRelay } from './delivery/delivery-relay.service.js';
import { AutomationFiring } from './firing/automation-firing.service.js';
import { FiringRates } from './firing/firing-rates.service.js';
import { FiringRepository } from './firing/firing.repository.js';
import { RunMetricFirings } from './firing/run-metric-firings.service.js';
import { WatchingAutomations } from './firing/watching-automations.cache.js';
import { MetricHistoryRepository } from './matching/metric-history.repository.js';

/** Fires automations. For every process that publishes domain events, and once in it: no routes. */
@Module({
  imports: [EventsModule],
  providers: [
    AutomationFiring,
    Clock,
    DeliveryRelay,
    FiringRates,
    FiringRepository,
    MetricHistoryRepository,
    RunMetricFirings,
    WatchingAutomations,
  ],
  exports: [Clock, DeliveryRelay, MetricHistoryRepository],
})
export class AutomationFiringModule {}
