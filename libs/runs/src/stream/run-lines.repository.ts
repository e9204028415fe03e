import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';

/** What clients stream of a run: what it logged, the load of its machine, its console. */
export type LineStream = 'history' | 'events' | 'log';

export interface NewLines {
  stream: LineStream;
  /** Number of the first line. */
  offset: number;
  lines: readonly string[];
  /** One for each line; null where a line names none. */
  steps: readonly (number | null)[];
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

/**
 * Lines that aren't there yet, where another stands in their places: of two writers of a run, each counts for itself. What is
 * there already, here or behind, is what one of them sends again. Their order stays.
 */
const CONFLICTING = `
  SELECT line.n::int AS n, EXISTS (
           SELECT FROM run_lines WHERE run_id = $1 AND stream = $2 AND line_no >= $3 AND body = line.body) AS known
    FROM unnest($4::text[]) WITH ORDINALITY AS line (body, n)
    JOIN run_lines AS there ON there.run_id = $1 AND there.stream = $2 AND there.line_no = $3 + line.n - 1
   WHERE there.body <> line.body
   ORDER BY line.n`;

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
  SELECT line_no AS number, body
    FROM (SELECT line_no, body, row_number() OVER (ORDER BY line_no) - 1 AS n, count(*) OVER () AS total
            FROM run_lines ${IN_RANGE}) AS numbered
   WHERE total <= $6 OR n = 0 OR n * ($6::bigint - 1) / (total - 1) > (n - 1) * ($6::bigint - 1) / (total - 1)
   ORDER BY line_no`;

/** The lines of runs, byte for byte but for U+0000, which PostgreSQL has no place for. */
@Injectable()
export class RunLinesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** @param isShared lines of others stay, and what is sent in their places comes behind them: see {@link CONFLICTING} */
  async put(manager: EntityManager, runId: string, lines: NewLines, { isShared = false } = {}): Promise<void> {
    const { stream, offset, steps } = lines;
    const bodies = lines.lines.map((line) => line.replaceAll('\0', '\u2400'));
    const taken = isShared
      ? await manager.query<{ n: number; known: boolean }[]>(CONFLICTING, [runId, stream, offset, bodies])
      : [];
    if (taken.length === 0) {
      await manager.query(PUT, [runId, stream, offset, steps, bodies]);
      return;
    }
    // Rare: line by line is well enough.
    const known = new Map(taken.map(({ n, known: isThere }) => [n - 1, isThere]));
    const free = bodies.flatMap((body, i) =>
      known.has(i) ? [] : [{ line: offset + i, step: steps[i] ?? null, body }],
    );
    for (const { line, step, body } of free) await manager.query(PUT, [runId, stream, line, [step], [body]]);
    const moved = [...known].flatMap(([i, isThere]) => (isThere ? [] : [i]));
    const [{ next }] = await manager.query<[{ next: number }]>(NEXT, [runId, stream]);
    await manager.query(PUT, [runId, stream, next, moved.map((i) => steps[i] ?? null), moved.map((i) => bodies[i]!)]);
  }

  /** Takes back what was logged after a step. */
  async rewind(manager: EntityManager, runId: string, lastStep: number): Promise<void> {
    await manager.query(`DELETE FROM run_lines WHERE run_id = $1 AND stream = 'history' AND step > $2`, [
      runId,
      lastStep,
    ]);
    await manager.query('DELETE FROM run_metrics WHERE run_id = $1 AND step > $2', [runId, lastStep]);
  }

  /** Number of the next line of each stream. */
  async counts(runId: string): Promise<Record<LineStream, number>> {
    const next = (stream: LineStream): string =>
      `coalesce((SELECT max(line_no) + 1 FROM run_lines WHERE run_id = $1 AND stream = '${stream}'), 0) AS ${stream}`;
    const sql = `SELECT ${next('history')}, ${next('events')}, ${next('log')}`;
    return (await this.pool.query<Record<LineStream, number>>(sql, [runId])).rows[0]!;
  }

  /** Greatest step of the history; null where no line names one. */
  async lastStep(runId: string): Promise<number | null> {
    const sql = `SELECT max(step)::float8 AS step FROM run_lines WHERE run_id = $1 AND stream = 'history'`;
    return (await this.pool.query<{ step: number | null }>(sql, [runId])).rows[0]!.step;
  }

  async last(runId: string, stream: LineStream): Promise<string | null> {
    const sql = 'SELECT body FROM run_lines WHERE run_id = $1 AND stream = $2 ORDER BY line_no DESC LIMIT 1';
    return (await this.pool.query<{ body: string }>(sql, [runId, stream])).rows[0]?.body ?? null;
  }

  /** At most `samples` lines, evenly chosen. */
  async sample(runId: string, range: LineRange, samples: number): Promise<StoredLine[]> {
    return (await this.pool.query<StoredLine>(SAMPLE, [...valuesOf(runId, range), samples])).rows;
  }

  /** The first `limit` lines from line `from` on. */
  async page(runId: string, stream: LineStream, from: number, limit: number): Promise<StoredLine[]> {
    const sql = `SELECT line_no AS number, body FROM run_lines
                  WHERE run_id = $1 AND stream = $2 AND line_no >= $3 ORDER BY line_no LIMIT $4`;
    return (await this.pool.query<StoredLine>(sql, [runId, stream, from, limit])).rows;
  }
}

const valuesOf = (runId: string, { stream, minStep, endStep, holding = [] }: LineRange): unknown[] => [
  runId,
  stream,
  minStep ?? null,
  endStep ?? null,
  holding,
];
