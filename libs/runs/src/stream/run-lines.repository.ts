import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';

/** What clients stream of a run: what it logged, the load of its machine, its console. */
export type LineStream = 'history' | 'events' | 'log';

export interface NewLines {
  /** One of {@link LineStream}, or of one writer. */
  stream: string;
  /** Number of the first line. */
  offset: number;
  lines: readonly string[];
  /** One for each line; null where it belongs to none; undefined: the line's own number is its step. */
  steps: readonly (number | null | undefined)[];
}

export interface LineRange {
  stream: LineStream;
  minStep?: number | undefined;
  /** The first step that no longer belongs to it. */
  endStep?: number | undefined;
  /** Only lines that hold all of these texts. */
  holding?: readonly string[];
}

export interface StoredLine {
  number: number;
  body: string;
}

/** A line of the history, at a step. */
export interface HistoryLine extends StoredLine {
  step: number | null;
}

/**
 * The first line in whose place another stands: of two writers of a run, each counts for itself. That line and those behind it
 * go to the end, in their order, but for what is there already: one of the writers sends it again.
 */
const CONFLICTING = `
  SELECT min(line.n)::int - 1 AS first
    FROM unnest($4::text[]) WITH ORDINALITY AS line (body, n)
    JOIN run_lines AS there ON there.run_id = $1 AND there.stream = $2 AND there.line_no = $3 + line.n - 1
   WHERE there.body <> line.body`;

const KNOWN = `
  SELECT body, min(line_no) AS number FROM run_lines
   WHERE run_id = $1 AND stream = $2 AND line_no >= $3 AND body = ANY ($4::text[]) GROUP BY body`;

/** A line that was sent before is replaced: clients send again what got no answer. */
const PUT = `
  INSERT INTO run_lines (run_id, stream, line_no, step, body)
  SELECT $1, $2, $3 + line.n - 1, line.step, line.body
    FROM unnest($4::bigint[], $5::text[]) WITH ORDINALITY AS line (step, body, n)
  ON CONFLICT (run_id, stream, line_no) DO UPDATE SET step = excluded.step, body = excluded.body`;

const NEXT = 'SELECT coalesce(max(line_no) + 1, 0) AS next FROM run_lines WHERE run_id = $1 AND stream = $2';

const IN_RANGE = `
   WHERE run_id = $1 AND stream = $2 AND ($3::bigint IS NULL OR step >= $3) AND ($4::bigint IS NULL OR step < $4)
     AND NOT EXISTS (SELECT FROM unnest($5::text[]) AS part WHERE strpos(body, part) = 0)`;

/** Of T lines those at which n of N equal shares begins: N at most, the first and the last among them. */
const SAMPLE = `
  SELECT line_no AS number, body, step::float8 AS step
    FROM (SELECT line_no, body, step, row_number() OVER (ORDER BY line_no) - 1 AS n, count(*) OVER () AS total
            FROM run_lines ${IN_RANGE}) AS numbered
   WHERE total <= $6 OR n = 0 OR n * ($6::bigint - 1) / (total - 1) > (n - 1) * ($6::bigint - 1) / (total - 1)
   ORDER BY line_no`;

/** The lines of runs, byte for byte but for U+0000, which PostgreSQL has no place for. */
@Injectable()
export class RunLinesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * Takes lines of writers that may be several: those of others stay, and what is sent in their places comes behind them (see
   * {@link CONFLICTING}). @returns where each line is
   */
  async put(manager: EntityManager, runId: string, lines: NewLines): Promise<number[]> {
    const { stream, offset, steps } = lines;
    const bodies = lines.lines.map(storable);
    const sent = [runId, stream, offset, bodies];
    const [{ first }] = await manager.query<[{ first: number | null }]>(CONFLICTING, sent);
    const places = bodies.map((_body, i) => offset + i);
    if (first === null) {
      await this.replace(manager, runId, lines);
      return places;
    }
    if (first > 0) {
      await this.replace(manager, runId, {
        stream,
        offset,
        lines: bodies.slice(0, first),
        steps: steps.slice(0, first),
      });
    }
    const rows = await manager.query<{ body: string; number: number }[]>(KNOWN, sent);
    const known = new Map(rows.map(({ body, number }) => [body, number]));
    const [{ next }] = await manager.query<[{ next: number }]>(NEXT, [runId, stream]);
    const moved = places.map((_place, i) => i).filter((i) => i >= first && !known.has(bodies[i]!));
    for (const i of bodies.keys()) if (i >= first) places[i] = known.get(bodies[i]!) ?? next + moved.indexOf(i);
    await this.replace(manager, runId, {
      stream,
      offset: next,
      lines: moved.map((i) => bodies[i]!),
      steps: moved.map((i) => steps[i]),
    });
    return places;
  }

  /** Takes lines instead of those that are in their places. */
  async replace(manager: EntityManager, runId: string, { stream, offset, steps, lines }: NewLines): Promise<void> {
    const known = steps.map((step, i) => (step === undefined ? offset + i : step));
    await manager.query(PUT, [runId, stream, offset, known, lines.map(storable)]);
  }

  /** Number of the next line of each stream. */
  async counts(runId: string): Promise<Record<LineStream, number>> {
    const next = (stream: LineStream, others = ''): string =>
      `coalesce((SELECT max(line_no) + 1 FROM run_lines WHERE run_id = $1 AND (stream = '${stream}'${others})), 0) AS ${stream}`;
    const sql = `SELECT ${next('history')}, ${next('events')}, ${next('log', " OR stream > 'log:' AND stream < 'log;'")}`;
    return (await this.pool.query<Record<LineStream, number>>(sql, [runId])).rows[0]!;
  }

  /** Greatest step of the history; null where no line names one. */
  async lastStep(runId: string): Promise<number | null> {
    const sql = `SELECT max(step)::float8 AS step FROM run_lines WHERE run_id = $1 AND stream = 'history'`;
    return (await this.pool.query<{ step: number | null }>(sql, [runId])).rows[0]!.step;
  }

  async last(runId: string, stream: LineStream): Promise<HistoryLine | null> {
    const sql = `SELECT line_no AS number, body, step::float8 AS step FROM run_lines
                  WHERE run_id = $1 AND stream = $2 ORDER BY line_no DESC LIMIT 1`;
    return (await this.pool.query<HistoryLine>(sql, [runId, stream])).rows[0] ?? null;
  }

  /** At most `samples` lines, evenly chosen. */
  async sample(runId: string, range: LineRange, samples: number): Promise<HistoryLine[]> {
    return (await this.pool.query<HistoryLine>(SAMPLE, [...valuesOf(runId, range), samples])).rows;
  }

  /** The first `limit` lines from line `from` on. */
  async page(runId: string, stream: LineStream, from: number, limit: number): Promise<StoredLine[]> {
    const sql = `SELECT line_no AS number, body FROM run_lines
                  WHERE run_id = $1 AND stream = $2 AND line_no >= $3 ORDER BY line_no LIMIT $4`;
    return (await this.pool.query<StoredLine>(sql, [runId, stream, from, limit])).rows;
  }
}

/** PostgreSQL has no place for U+0000. */
const storable = (line: string): string => line.replaceAll('\0', '\u2400');

const valuesOf = (runId: string, { stream, minStep, endStep, holding = [] }: LineRange): unknown[] => [
  runId,
  stream,
  minStep ?? null,
  endStep ?? null,
  holding,
];
