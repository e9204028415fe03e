import { Module } from '@nestjs/common';
import { EventsModule } from '@heddle/events';
import { Clock } from './delivery/clock.js';
import { DeliveryRelay } from './delivery/delivery.relay.js';
import { AutomationFiringService } from './firing/automation-firing.service.js';
import { FiringRatesService } from './firing/firing-rates.service.js';
import { FiringRepository } from './firing/firing.repository.js';
import { RunMetricFiringsService } from './firing/run-metric-firings.service.js';
import { WatchingAutomationsCache } from './firing/watching-automations.cache.js';
import { MetricHistoryRepository } from './matching/metric-history.repository.js';

/** Fires automations. For every process that publishes domain events, and once in it: no routes. */
@Module({
  imports: [EventsModule],
  providers: [
    AutomationFiringService,
    Clock,
    DeliveryRelay,
    FiringRatesService,
    FiringRepository,
    MetricHistoryRepository,
    RunMetricFiringsService,
    WatchingAutomationsCache,
  ],
  exports: [Clock, DeliveryRelay, MetricHistoryRepository],
})
export class AutomationFiringModule {}
