import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Env } from '@heddle/config';
import { type DomainEvent, DomainEventsService } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import { Clock } from '../delivery/clock.js';
import { DeliveryRelay } from '../delivery/delivery.relay.js';
import { watchedAs } from '../events/event-types.js';
import { factsOf } from '../matching/event-facts.js';
import { causingChain } from './causation.middleware.js';
import { type Firing, FiringRepository } from './firing.repository.js';
import { FiringRatesService } from './firing-rates.service.js';
import { RunMetricFiringsService } from './run-metric-firings.service.js';
import { scopesOf } from './scope-key.js';
import { matches } from './watching-automation.js';
import { WatchingAutomationsCache } from './watching-automations.cache.js';

/**
 * Fires automations in the transaction of the change that they watch: the change, its event and one execution for each
 * automation that matches are committed together or not at all.
 */
@Injectable()
export class AutomationFiringService implements OnModuleInit {
  constructor(
    private readonly events: DomainEventsService,
    private readonly automations: WatchingAutomationsCache,
    private readonly repository: FiringRepository,
    private readonly runMetrics: RunMetricFiringsService,
    private readonly rates: FiringRatesService,
    private readonly relay: DeliveryRelay,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.events.subscribe((manager, event) => this.fire(manager, event));
  }

  private async fire(manager: EntityManager, event: DomainEvent): Promise<void> {
    const facts = factsOf(event);
    const candidates = await this.automations.find(manager, scopesOf(event.place), watchedAs(event.type), facts);
    const matching = candidates.filter((automation) => matches(automation, facts));
    const now = this.clock.now();
    let firings: Firing[];
    if (event.type === 'RUN_METRICS_LOGGED') {
      const found = await this.runMetrics.find(manager, event, matching, now);
      // Runs log all day long: what no automation looks at is not kept.
      if (found.judged === 0) return;
      firings = found.firings;
    } else {
      firings = matching.map((automation) => ({ automation }));
    }
    const chain = await causingChain(manager);
    const eventId = await this.repository.insertEvent(manager, event, chain);
    if (firings.length === 0) return;
    await this.repository.insertExecutions(manager, eventId, await this.limit(manager, firings, chain), now);
    this.relay.wakeAfterCommit(manager);
  }

  /** An automation is too deep only in a loop of its own: a chain of others, whoever made it, silences nobody. */
  private async limit(manager: EntityManager, firings: readonly Firing[], chain: readonly string[]): Promise<Firing[]> {
    const isTooDeep = ({ automation }: Firing): boolean =>
      chain.filter((id) => id === automation.id).length > this.env.AUTOMATION_MAX_DEPTH;
    const open = firings.filter((firing) => !isTooDeep(firing)).map(({ automation }) => automation);
    const admitted = await this.rates.admit(manager, open);
    return firings.map((firing) => {
      if (isTooDeep(firing)) return { ...firing, skipped: 'too_deep' };
      return admitted.has(firing.automation) ? firing : { ...firing, skipped: 'rate_limited' };
    });
  }
}
