import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { type RunName, RunsService } from '../runs.service.js';
import { DEFAULT_PANELS, layOut, leastHeight, MAX_PANELS, panelsWithin } from './chart-layout.js';
import { candidates, defaultMetrics, requestedMetrics } from './chart-metrics.js';
import { type Chart, chartSpec } from './chart-spec.js';
import type { ChartQuery } from './chart.dto.js';
import { MetricNotFoundError } from './chart.errors.js';
import { ChartRepository, type MetricExtent, type StepRange } from './chart.repository.js';
import { toSvg } from './svg.js';

/** Names that are looked at: a run may have metrics without end. */
const MAX_NAMES = 10_000;

/** Pictures of what runs logged, for those who may read the project. */
@Injectable()
export class RunChartService {
  constructor(
    private readonly runs: RunsService,
    private readonly metrics: ChartRepository,
  ) {}

  /** An SVG document. @throws MetricNotFoundError, ValidationError */
  async draw(caller: Principal, name: RunName, query: ChartQuery): Promise<string> {
    const { from_step: from = 0, to_step: to = Number.MAX_SAFE_INTEGER } = query;
    if (from > to) throw ValidationError.at(['query', 'to_step'], 'must not be less than from_step', 'step_range', to);
    const run = await this.runs.get(caller, name);
    const names = await this.choose(run.id, name.run, query);
    const layout = layOut(Math.max(1, names.length), query.width, query.height);
    const extents = await this.metrics.extents(run.id, names, { from, to });
    const steps = stepsOf(extents, query);
    const buckets =
      extents.length > 0 ? await this.metrics.buckets(run.id, names, steps, Math.floor(layout.plot.width)) : [];
    const chart: Chart = {
      title: run.displayName,
      steps,
      smooth: query.smooth,
      panels: names.map((metric) => ({
        metric,
        last: extents.find((extent) => extent.name === metric) ?? null,
        buckets: buckets.filter((bucket) => bucket.name === metric),
      })),
    };
    return toSvg(chartSpec(chart, layout));
  }

  /** None where the run has none. */
  private async choose(runId: string, run: string, { metric: values, height }: ChartQuery): Promise<string[]> {
    const asked = values?.some((value) => value !== '') ? values : undefined;
    const known = asked && (await this.metrics.known(runId, candidates(asked)));
    const names = asked && known && requestedMetrics(asked, known);
    if (!names || !names.every((name) => known.has(name))) {
      const existing = await this.metrics.names(runId, MAX_NAMES);
      if (!names || existing.length === 0) {
        const limit = height === undefined ? DEFAULT_PANELS : Math.min(DEFAULT_PANELS, panelsWithin(height));
        return defaultMetrics(existing, limit);
      }
      const missing = names.filter((name) => !known.has(name));
      throw new MetricNotFoundError(run, missing, existing);
    }
    checkRoom(names, height);
    return names;
  }
}

function checkRoom(names: readonly string[], height: number | undefined): void {
  const { length } = names;
  if (length > MAX_PANELS) {
    throw ValidationError.at(['query', 'metric'], `at most ${MAX_PANELS} metrics`, 'too_many_metrics');
  }
  if (height === undefined || height >= leastHeight(length)) return;
  const msg = `must be ${leastHeight(length)} or more for ${length} metrics`;
  throw ValidationError.at(['query', 'height'], msg, 'too_low', height);
}

/** What the query says, else where the values lie. */
function stepsOf(extents: readonly MetricExtent[], { from_step: from, to_step: to }: ChartQuery): StepRange {
  if (extents.length === 0) return { from: from ?? 0, to: to ?? from ?? 0 };
  return {
    from: from ?? Math.min(...extents.map((extent) => extent.first_step)),
    to: to ?? Math.max(...extents.map((extent) => extent.last_step)),
  };
}
