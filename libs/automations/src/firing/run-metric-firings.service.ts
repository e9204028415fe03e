import { Injectable } from '@nestjs/common';
import type { RunMetricsEvent } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import { NO_VALUES } from '../matching/metric-condition.js';
import { metricVariables } from '../matching/metric-variables.js';
import { MetricHistoryRepository } from '../matching/metric-history.repository.js';
import { type Firing, FiringRepository } from './firing.repository.js';
import type { WatchingAutomation } from './watching-automation.js';

type MetricAutomation = WatchingAutomation & Required<Pick<WatchingAutomation, 'metric'>>;

/**
 * Which metric automations fire for a run: by the level that its values reach at any point of a batch, each of them once in
 * 24 hours and for the first such point. Points that come late or write a step anew are judged in their place: with the
 * values of lower steps before them, and the windows after them that hold them once more.
 */
@Injectable()
export class RunMetricFiringsService {
  constructor(
    private readonly history: MetricHistoryRepository,
    private readonly repository: FiringRepository,
  ) {}

  /** @param watching automations whose filters the event passes */
  async find(
    manager: EntityManager,
    event: RunMetricsEvent,
    watching: readonly WatchingAutomation[],
    now: Date,
  ): Promise<{ judged: number; firings: Firing[] }> {
    const { run } = event;
    const onMetrics = watching.filter((automation): automation is MetricAutomation => automation.metric !== undefined);
    const ids = onMetrics.map(({ id }) => id);
    const done = ids.length > 0 ? await this.repository.firedForRun(manager, ids, run.id, now) : new Set();
    const open = onMetrics.filter(({ id }) => !done.has(id));
    const firings = await this.judge(manager, event, open);
    const claimed = await this.repository.claimRun(
      manager,
      firings.map(({ automation }) => automation.id),
      run.id,
      now,
    );
    return { judged: open.length, firings: firings.filter(({ automation }) => claimed.has(automation.id)) };
  }

  private async judge(
    manager: EntityManager,
    { run, metrics }: RunMetricsEvent,
    open: readonly MetricAutomation[],
  ): Promise<Firing[]> {
    const most = new Map<string, number>();
    for (const { metric } of open) most.set(metric.metric, Math.max(metric.needs, most.get(metric.metric) ?? 0));
    const stretches = await this.history.around(manager, run.id, metrics, most);
    return open.flatMap((automation) => {
      const { metric } = automation;
      const verdict = metric.judge(stretches.get(metric.metric) ?? NO_VALUES);
      return verdict.met ? [{ automation, variables: metricVariables(metric, verdict) }] : [];
    });
  }
}
