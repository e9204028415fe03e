import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { ProjectAccessService } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import type { CallQueryRequest } from '../calls/call-query-request.js';
import { CostsService } from '../costs/costs.service.js';
import { selectCallStats, type StatsStatement } from './call-stats-query.js';
import type { CallStatsFields } from './call-stats.schema.js';
import type { MetricColumn } from './metric-columns.js';
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
      const statement = selectCallStats(project?.id ?? 0, request, buckets, callMetrics);
      answer.call_buckets = pointsOf(await this.rows(statement, signal), statement.columns, buckets, [{}]);
    }
    if (usageMetrics.length > 0) {
      const prices = project ? await this.costs.spans(project) : [];
      const statement = selectUsageStats(project?.id ?? 0, request, buckets, usageMetrics, prices);
      const rows = await this.rows(statement, signal);
      const models = [...new Set(rows.map(({ model }) => model!))].sort().map((model) => ({ model }));
      answer.usage_buckets = pointsOf(rows, statement.columns, buckets, models);
    }
    const { start, end, granularity, timezone } = buckets;
    return { start: isoMicros(start), end: isoMicros(end), granularity, timezone, ...answer };
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
