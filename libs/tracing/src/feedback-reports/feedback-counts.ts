import { indexJsonSync, type JsonNode } from '@heddle/json';
import { decodeText } from '@heddle/json';
import { parseTraceRef } from '../refs/trace-ref.js';
import type { AggregateFeedback } from './feedback-reports.schema.js';
import type { ScoredRow } from './feedback-window.js';

/** The rating that a monitor's own limits are about. */
const RATING = '_rating_';

interface Bucket {
  time_bucket_start_ms: number | null;
  group: Record<string, string>;
  total_count: number;
  scored_count: number;
  tag_counts: Record<string, number>;
  rating_sums: Record<string, number>;
  rating_counts: Record<string, number>;
}

/** Counts what scorers said, by time and group; rows come in the order of time. */
export class FeedbackCounts {
  private readonly found = new Map<string, Bucket>();

  constructor(private readonly request: AggregateFeedback) {
    if (request.time_bucket_seconds === undefined && !request.group_by?.length) this.bucket(null, {});
  }

  add(row: ScoredRow): void {
    const details = indexJsonSync(Buffer.from(row.details));
    const tags = [...(details.get('scorer_tags')?.items() ?? [])].map((tag) => tag.string() ?? tag.text());
    const ratings = new Map(
      [...(details.get('scorer_ratings')?.entries() ?? [])].map(([name, node]) => [name, node.number()]),
    );
    if (!this.isWanted(details, tags, ratings.get(RATING))) return;
    const bucket = this.bucket(this.startOf(row.at), this.groupOf(row, details));
    bucket.total_count++;
    if (tags.length + ratings.size > 0) bucket.scored_count++;
    for (const tag of tags) add(bucket.tag_counts, tag, 1);
    for (const [name, value] of ratings) {
      if (value === undefined) continue;
      add(bucket.rating_sums, name, value);
      add(bucket.rating_counts, name, 1);
    }
  }

  get buckets(): Bucket[] {
    return [...this.found.values()];
  }

  private isWanted(details: JsonNode, tags: string[], rating: number | undefined): boolean {
    const { tags: wanted, span_agent_names: agents, rating_min: min, rating_max: max } = this.request;
    if (agents?.length && !agents.includes(details.get('span_agent_name')?.string() ?? '')) return false;
    if (wanted?.length && !wanted.some((tag) => tags.includes(tag))) return false;
    if (min === undefined && max === undefined) return true;
    return rating !== undefined && rating >= (min ?? -Infinity) && rating <= (max ?? Infinity);
  }

  private startOf(at: string): number | null {
    const seconds = this.request.time_bucket_seconds;
    if (seconds === undefined) return null;
    return Math.floor(Number(at) / 1e6 / seconds) * seconds * 1000;
  }

  private groupOf(row: ScoredRow, details: JsonNode): Record<string, string> {
    const values = (this.request.group_by ?? []).map((name): [string, string] => [
      name,
      name === 'scorer_id'
        ? scorerOf(row)
        : (details.get(name)?.string() ?? (name === 'span_status_code' ? 'UNSET' : '')),
    ]);
    return Object.fromEntries(values);
  }

  private bucket(start: number | null, group: Record<string, string>): Bucket {
    const key = JSON.stringify([start, group]);
    const counts = { total_count: 0, scored_count: 0, tag_counts: {}, rating_sums: {}, rating_counts: {} };
    const bucket = this.found.get(key) ?? { time_bucket_start_ms: start, group, ...counts };
    this.found.set(key, bucket);
    return bucket;
  }
}

function scorerOf({ runnable_ref: ref }: ScoredRow): string {
  const target = ref === null ? undefined : parseTraceRef(decodeText(ref))?.target;
  return target?.type === 'object' ? target.objectId : '';
}

function add(counts: Record<string, number>, name: string, value: number): void {
  // A tag may be called __proto__.
  Object.defineProperty(counts, name, {
    value: (Object.hasOwn(counts, name) ? counts[name]! : 0) + value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
