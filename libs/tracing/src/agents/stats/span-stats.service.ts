import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { CostsService } from '../../costs/costs.service.js';
import { QuerySql } from '../../query/query-sql.js';
import { StatementReader } from '../../query/statement.reader.js';
import type { Statement } from '../../query/statement.js';
import { NotBuiltError } from '../../unbuilt/unbuilt.errors.js';
import { isoMicros, type TimeBuckets, timeBuckets } from '../../usage/time-buckets.js';
import { checkSpanStats, numberBuckets } from './check-span-stats.js';
import { DEFAULT_BINS, DEFAULT_GROUPS, type NumberBuckets, type QuerySpanStats } from './span-stats.schema.js';
import { rangeRows, rangesHead, timeHead, timeRows } from './span-stats-rows.js';
import { StatsPlan } from './span-stats-plan.js';
import { type RangeRow, rangeStats, timeStats, type TimeRow } from './span-stats-sql.js';

/** Of an answer with groups. */
const MAX_ROWS = 10_000;

/** Sums up spans for charts: over time, or over ranges of a number. */
@Injectable()
export class SpanStatsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly statements: StatementReader,
    private readonly costs: CostsService,
  ) {}

  /** A project that the team doesn't have (yet) has empty buckets. @param body the same, for its conditions */
  async query(caller: Principal, request: QuerySpanStats, body: JsonNode, signal: AbortSignal): Promise<object> {
    refuseUnbuilt(body);
    const buckets = timeBuckets(request);
    checkSpanStats(request, buckets);
    const sql = new QuerySql();
    const plan = new StatsPlan(request, body, sql);
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const from = { projectId: project?.id ?? 0, prices: await this.pricesOf(project, plan) };
    const { start, end, granularity, timezone } = buckets;
    const answer = { start: isoMicros(start), end: isoMicros(end), timezone };
    const numbers = numberBuckets(request);
    if (numbers) {
      const ranges = rangesOf(numbers);
      const rows = await this.all<RangeRow>(rangeStats(plan, from, buckets, ranges, sql), signal);
      const columns = [...rangesHead(), ...metricHeads(plan)];
      return { ...answer, granularity: null, bucket_type: 'number', columns, rows: rangeRows(plan, ranges.bins, rows) };
    }
    const groups = groupLimit(request, buckets);
    const rows = await this.all<TimeRow>(timeStats(plan, from, buckets, groups, sql), signal);
    const columns = [...timeHead(plan), ...metricHeads(plan)];
    return { ...answer, granularity, bucket_type: 'time', columns, rows: timeRows(plan, buckets, rows) };
  }

  private async pricesOf(project: ProjectRef | null, plan: StatsPlan) {
    return project && plan.values.needs.costs ? this.costs.spans(project) : [];
  }

  private async all<T extends object>(statement: Statement, signal: AbortSignal): Promise<T[]> {
    const all: T[] = [];
    for await (const rows of this.statements.rows<T>(statement, signal)) all.push(...rows);
    return all;
  }
}

const metricHeads = ({ columns }: StatsPlan): object[] =>
  columns.map(({ name, value_type, metric, aggregation }) => ({
    name,
    role: 'metric',
    value_type,
    metric,
    aggregation,
  }));

const rangesOf = ({ bins, min, max }: NumberBuckets) => ({
  bins: bins ?? DEFAULT_BINS,
  min: min ?? null,
  max: max ?? null,
});

const groupLimit = ({ group_limit: asked = DEFAULT_GROUPS }: QuerySpanStats, { count }: TimeBuckets): number =>
  Math.min(asked, Math.max(1, Math.floor(MAX_ROWS / count)));

/** Signals and insights are made by the hosted service's own models. */
function refuseUnbuilt(body: JsonNode): void {
  if (body.get('insight_filters')?.childCount) throw new NotBuiltError('insight_filters of spans');
  const signals = body.get('signal_filters');
  if (signals?.get('tags')?.childCount || signals?.get('ratings')?.childCount)
    throw new NotBuiltError('signal_filters of spans');
}
