import { Injectable } from '@nestjs/common';
import type { RunMetricsEvent } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import { MetricHistoryRepository } from '../matching/metric-history.repository.js';
import { type Firing, FiringRepository } from './firing.repository.js';
import type { WatchingAutomation } from './watching-automation.js';

type MetricAutomation = WatchingAutomation & Required<Pick<WatchingAutomation, 'metric'>>;

/** Which metric automations fire for a run: by the level that its values have now, each of them once in 24 hours. */
@Injectable()
export class RunMetricFirings {
  constructor(
    private readonly history: MetricHistoryRepository,
    private readonly repository: FiringRepository,
  ) {}

  /** @param watching automations whose filters the event passes */
  async find(
    manager: EntityManager,
    { run }: RunMetricsEvent,
    watching: readonly WatchingAutomation[],
    now: Date,
  ): Promise<{ judged: number; firings: Firing[] }> {
    const onMetrics = watching.filter((automation): automation is MetricAutomation => automation.metric !== undefined);
    const ids = onMetrics.map(({ id }) => id);
    const done = ids.length > 0 ? await this.repository.firedForRun(manager, ids, run.id, now) : new Set();
    const open = onMetrics.filter(({ id }) => !done.has(id));
    const firings = await this.judge(manager, run.id, open);
    const claimed = await this.repository.claimRun(
      manager,
      firings.map(({ automation }) => automation.id),
      run.id,
      now,
    );
    return { judged: open.length, firings: firings.filter(({ automation }) => claimed.has(automation.id)) };
  }

  private async judge(manager: EntityManager, runId: string, open: readonly MetricAutomation[]): Promise<Firing[]> {
    const counts = new Map<string, number>();
    for (const { metric } of open) counts.set(metric.metric, Math.max(metric.needs, counts.get(metric.metric) ?? 0));
    const values = await this.history.newest(manager, runId, counts);
    return open.flatMap((automation) => {
      const { metric, needs, threshold, judge } = automation.metric;
      const { met, value } = judge((values.get(metric) ?? []).slice(0, needs));
      return met ? [{ automation, variables: { metric_name: metric, metric_value: value, threshold } }] : [];
    });
  }
}
