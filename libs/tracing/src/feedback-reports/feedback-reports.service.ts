import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import { isoMicros, timeBuckets } from '../usage/time-buckets.js';
import { FeedbackCounts } from './feedback-counts.js';
import type { AggregateFeedback, FeedbackPaths, FeedbackStats } from './feedback-reports.schema.js';
import { type PayloadRow, type ScoredRow, selectPayloads, selectScored } from './feedback-window.js';
import { numbersOf, PayloadPaths, slugOf, valueOf } from './payload-values.js';

const SAMPLE = 2000;

/** What feedback says, summed up. */
@Injectable()
export class FeedbackReportsService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly statements: StatementReader,
  ) {}

  async aggregate(caller: Principal, request: AggregateFeedback, signal: AbortSignal): Promise<object> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const counts = new FeedbackCounts(request);
    const statement = selectScored(project?.id ?? 0, request);
    for await (const rows of this.statements.rows<ScoredRow>(statement, signal)) rows.forEach((row) => counts.add(row));
    const { after_ms, before_ms, time_bucket_seconds = null } = request;
    return { after_ms, before_ms, time_bucket_seconds, buckets: counts.buckets };
  }

  async stats(caller: Principal, request: FeedbackStats, signal: AbortSignal): Promise<object> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const buckets = timeBuckets(request);
    const metrics = request.metrics ?? [];
    const empty = (): number[][] => metrics.map(() => []);
    const found = Array.from({ length: buckets.count }, () => ({ count: 0, values: empty() }));
    const all = empty();
    const statement = selectPayloads(project?.id ?? 0, { ...request, ...buckets });
    for await (const rows of this.statements.rows<PayloadRow>(statement, signal)) {
      for (const { at, payload } of rows) {
        const bucket = found[Math.floor(Number(BigInt(at) - buckets.first) / 1e6 / buckets.granularity)]!;
        bucket.count++;
        for (const [i, metric] of metrics.entries()) {
          const value = valueOf(payload, metric);
          if (value === undefined) continue;
          bucket.values[i]!.push(value);
          all[i]!.push(value);
        }
      }
    }
    const step = BigInt(buckets.granularity) * 1_000_000n;
    const numbers = metrics.map((metric, i) => [slugOf(metric), Object.fromEntries(numbersOf(metric, all[i]!))]);
    return {
      start: isoMicros(buckets.start),
      end: isoMicros(buckets.end),
      granularity: buckets.granularity,
      timezone: buckets.timezone,
      buckets: found.map(({ count, values }, n) => ({
        timestamp: isoMicros(buckets.first + BigInt(n) * step),
        count,
        ...Object.fromEntries(
          metrics.flatMap((metric, i) =>
            numbersOf(metric, values[i]!).map(([name, value]) => [`${name}_${slugOf(metric)}`, value]),
          ),
        ),
      })),
      window_stats: metrics.length > 0 ? Object.fromEntries(numbers) : null,
    };
  }

  /** Where in payloads there are values, and of which type, as the newest of them show. */
  async paths(caller: Principal, request: FeedbackPaths, signal: AbortSignal): Promise<object> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const paths = new PayloadPaths();
    const window = { ...request, ...timeBuckets({ start: request.start, end: request.end }) };
    const statement = selectPayloads(project?.id ?? 0, window, request.sample_limit ?? SAMPLE);
    for await (const rows of this.statements.rows<PayloadRow>(statement, signal))
      rows.forEach(({ payload }) => paths.add(payload));
    return { paths: paths.paths };
  }
}
