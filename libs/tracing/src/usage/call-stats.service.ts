import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import type { CallQueryRequest } from '../calls/call-query-request.js';
import { isOfWholeProject } from '../calls/call-query-statement.js';
import { CostsService } from '../costs/costs.service.js';
import type { PriceSpan } from '../costs/price-spans.js';
import { CallRollupsService } from '../rollups/call-rollups.service.js';
import { parseTimestamp } from '../values/timestamp.js';
import { selectCallStats, type StatsStatement } from './call-stats-query.js';
import type { CallStatsFields } from './call-stats.schema.js';
import { areSummable, type MetricColumn } from './metric-columns.js';
import { selectProjectCallStats, selectProjectUsage } from './project-stats-query.js';
import { allLive, type SummedParts, summedParts } from './summed-parts.js';
import { isoMicros, type TimeBuckets, timeBuckets } from './time-buckets.js';
import { selectUsageStats } from './usage-stats-query.js';

/** Of an answer: each is an object in memory, and a point on somebody's screen. */
const MAX_POINTS = 100_000;

interface StatsRow {
  bucket: number;
  model?: string;
  count: number;
  values: (number | null)[];
}

type Point = Record<string, string | number | null>;

/** Sums up calls over time. A project that the team doesn't have (yet) has empty buckets. */
@Injectable()
export class CallStatsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: StatementReader,
    private readonly costs: CostsService,
    private readonly rollups: CallRollupsService,
  ) {}

  async overTime(
    caller: Principal,
    request: CallQueryRequest,
    fields: CallStatsFields,
    signal: AbortSignal,
  ): Promise<object> {
    const buckets = timeBuckets(fields);
    const project = await this.access.find(caller, request.project);
    const { call_metrics: callMetrics = [], usage_metrics: usageMetrics = [] } = fields;
    const answer = { call_buckets: [] as Point[], usage_buckets: [] as Point[] };
    if (callMetrics.length > 0) {
      const parts = areSummable(callMetrics) ? await this.partsOf(project, request, buckets) : null;
      const statement = parts
        ? selectProjectCallStats(project!.id, buckets, callMetrics, parts)
        : selectCallStats(project?.id ?? 0, request, buckets, callMetrics);
      answer.call_buckets = pointsOf(await this.rows(statement, signal), statement.columns, buckets, [{}]);
    }
    if (usageMetrics.length > 0) {
      const prices = project ? await this.costs.spans(project) : [];
      const statement = await this.usageStatement(project, request, buckets, usageMetrics, prices);
      const rows = await this.rows(statement, signal);
      const models = [...new Set(rows.map(({ model }) => model!))].sort().map((model) => ({ model }));
      answer.usage_buckets = pointsOf(rows, statement.columns, buckets, models);
    }
    const { start, end, granularity, timezone } = buckets;
    return { start: isoMicros(start), end: isoMicros(end), granularity, timezone, ...answer };
  }

  /** Of a whole project every call is found; of what a filter finds, only what is stated lowest among it counts. */
  private async usageStatement(
    project: ProjectRef | null,
    request: CallQueryRequest,
    buckets: TimeBuckets,
    metrics: NonNullable<CallStatsFields['usage_metrics']>,
    prices: PriceSpan[],
  ): Promise<StatsStatement> {
    if (!project || !isOfWholeProject(request)) {
      return selectUsageStats(project?.id ?? 0, request, buckets, metrics, prices);
    }
    const changes = prices.flatMap(({ from }) => (from === null ? [] : [parseTimestamp(from)!]));
    const parts = areSummable(metrics) ? await this.partsOf(project, request, buckets, changes) : null;
    return selectProjectUsage(project.id, buckets, metrics, prices, parts ?? allLive(buckets));
  }

  /** What can be read from sums; null where they don't say what is asked. */
  private async partsOf(
    project: ProjectRef | null,
    request: CallQueryRequest,
    buckets: TimeBuckets,
    changes: bigint[] = [],
  ): Promise<SummedParts | null> {
    if (!project || !isOfWholeProject(request) || !(await this.rollups.areCurrent(project.id))) return null;
    return summedParts(buckets, changes);
  }

  private async rows(statement: StatsStatement, signal: AbortSignal): Promise<StatsRow[]> {
    const all: StatsRow[] = [];
    for await (const rows of this.reader.rows<StatsRow>(statement, signal)) {
      all.push(...rows);
      if (all.length > MAX_POINTS) throw tooManyPoints();
    }
    return all;
  }
}

/** One for each bucket and series, with or without calls: what draws a line needs its zeros. */
function pointsOf(
  rows: readonly StatsRow[],
  columns: readonly MetricColumn[],
  { count, first, granularity }: TimeBuckets,
  series: readonly { model?: string }[],
): Point[] {
  if (count * series.length > MAX_POINTS) throw tooManyPoints();
  const keyOf = (bucket: number, model = ''): string => `${bucket} ${model}`;
  const byKey = new Map(rows.map((row) => [keyOf(row.bucket, row.model), row]));
  return Array.from({ length: count }, (_, bucket) => bucket).flatMap((bucket) => {
    const timestamp = isoMicros(first + BigInt(bucket) * BigInt(granularity) * 1_000_000n);
    return series.map((each): Point => {
      const row = byKey.get(keyOf(bucket, each.model));
      const values = columns.map(({ name, empty }, i) => [name, row ? row.values[i] : empty]);
      return { timestamp, ...each, ...(Object.fromEntries(values) as Point), count: row?.count ?? 0 };
    });
  });
}

const tooManyPoints = (): ValidationError =>
  ValidationError.at(
    ['body', 'granularity'],
    `more than ${MAX_POINTS} points: ask for longer buckets or fewer models`,
    'too_many_points',
  );
