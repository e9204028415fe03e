import { Injectable } from '@nestjs/common';
import { InjectPool, type Run } from '@heddle/database';
import {
  ConsoleLinesRepository,
  type HistoryLine,
  readLenient,
  RunLinesRepository,
  type StoredLine,
} from '@heddle/runs';
import type pg from 'pg';
import { valueAt } from './finding/run-fields.js';

/** Most rows that one answer carries. */
const MAX_ROWS = 10_000;
/** Printable ASCII that no writer of JSON escapes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

export interface HistoryArgs {
  minStep?: number | null;
  maxStep?: number | null;
  samples?: number | null;
}

/** What clients ask of a run's history. */
@Injectable()
export class RunReadsService {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly lines: RunLinesRepository,
    private readonly console: ConsoleLinesRepository,
  ) {}

  /** How many lines there are, where the next one goes. */
  counts(runId: string): ReturnType<RunLinesRepository['counts']> {
    return this.lines.counts(runId);
  }

  /** As JSON: an array of the last line, which is a string. */
  async tail(runId: string, stream: 'history' | 'events'): Promise<string> {
    const last = await this.lines.last(runId, stream);
    return JSON.stringify(last === null ? [] : [bodyOf(last)]);
  }

  /** Lines as they came; of more than `samples`, evenly chosen ones. */
  async history(runId: string, stream: 'history' | 'events', args: HistoryArgs): Promise<string[]> {
    const range = { stream, minStep: args.minStep ?? undefined, endStep: args.maxStep ?? undefined };
    const span = (range.endStep ?? Infinity) - (range.minStep ?? -Infinity);
    return (await this.lines.sample(runId, range, limitOf(args.samples, span))).map(bodyOf);
  }

  /** Rows with these keys and no others, of the lines that have them all. */
  async sampled(runId: string, spec: string): Promise<Record<string, unknown>[]> {
    const { keys = [], samples, minStep, maxStep } = JSON.parse(spec) as HistoryArgs & { keys?: string[] };
    const endStep = typeof maxStep === 'number' ? maxStep + 1 : undefined;
    const range = { stream: 'history' as const, minStep: minStep ?? undefined, endStep };
    // The step may be the server's own word.
    const named = keys.filter((key) => key !== '_step');
    const holding = named.flatMap(textOf);
    const lines = await this.lines.sample(
      runId,
      { ...range, holding },
      limitOf(samples, (endStep ?? Infinity) - (minStep ?? -Infinity)),
    );
    return lines.flatMap((line) => {
      const row = readRow(bodyOf(line));
      const values = keys.map((key): [string, unknown] => [key, valueAt(row, key)]);
      return values.every(([, value]) => value !== undefined) ? [Object.fromEntries(values)] : [];
    });
  }

  /** What was logged under which name, of numbers how many. */
  async historyKeys({ id, lastStep }: Run): Promise<object> {
    const sql = 'SELECT name, count(*)::int AS count FROM run_metrics WHERE run_id = $1 GROUP BY name ORDER BY name';
    const { rows } = await this.pool.query<{ name: string; count: number }>(sql, [id]);
    const numbers = rows.map(({ name, count }) => [name, { typeCounts: [{ type: 'number', count }] }]);
    // Steps at which nothing but media was logged are steps too.
    const last = Math.max(Number(lastStep ?? -1), (await this.lines.lastStep(id)) ?? -1);
    return { keys: Object.fromEntries(numbers) as object, sets: [], lastStep: last };
  }

  /** Lines of the console from one on, or the last ones. One more than `limit`, where there are as many. */
  async log(
    runId: string,
    { from, last, limit }: { from: number; last?: number | null; limit: number },
  ): Promise<StoredLine[]> {
    const start = last ? Math.max(0, (await this.console.count(runId)) - last) : from;
    return this.console.page(runId, start, Math.min(limit, MAX_ROWS) + 1);
  }
}

/** What every line with this key holds: the beginning of it, if it may be nested. Of what is escaped one way or another, nothing. */
function textOf(key: string): string[] {
  const [first, ...nested] = key.split('.');
  if (!PLAIN.test(first!)) return [];
  return [nested.length > 0 ? `"${first!}` : `"${first!}"`];
}

/** A page of steps is whole: of several writers there may be more lines than steps. */
function limitOf(samples: number | null | undefined, span: number): number {
  const limit = Math.min(Math.max(samples ?? 500, 2), MAX_ROWS);
  return span <= limit ? MAX_ROWS : limit;
}

/** As its writer sent it; where it left the step to the server, with that. */
function bodyOf({ body, step }: HistoryLine): string {
  if (step === null || body.includes('"_step"')) return body;
  return body.replace(/^\s*\{\s*(?=(.?))/s, (_brace, next) => `{"_step":${step}${next === '}' ? '' : ','}`);
}

function readRow(body: string): Record<string, unknown> {
  try {
    return readLenient(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}
