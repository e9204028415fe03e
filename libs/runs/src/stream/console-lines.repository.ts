import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { RunLinesRepository, type StoredLine } from './run-lines.repository.js';

/** `<time> [label] <text>`: when it was begun, and, where they say so, which of the writers of a run says it. */
const LINE = /^(?:ERROR )?([\d:.T-]+) (?:\[([^\]]{1,128})\] )?/;

const STREAM = 'log';

/** Streams of other writers, of which most runs have none. */
const OF_OTHERS = `stream > '${STREAM}:' AND stream < '${STREAM};'`;
const OF_ALL = `run_id = $1 AND (stream = '${STREAM}' OR ${OF_OTHERS})`;
/** Of writers without labels, which have no bracket in them. */
const OF_NAMELESS = `${STREAM}:]`;

const THERE = `
  SELECT stream, line_no AS number, body FROM run_lines WHERE ${OF_ALL} AND line_no >= $2 AND line_no < $2 + $3::int`;

const PAGE = `
  SELECT number, body FROM (
    SELECT row_number() OVER (ORDER BY ltrim(body, 'ERO '), stream, line_no)::int - 1 AS number, body
      FROM run_lines WHERE ${OF_ALL}) AS merged
   WHERE number >= $2 ORDER BY number LIMIT $3`;

/**
 * What runs say on their consoles. A line is sent again in its place as it grows, with the time at which it was begun. Writers
 * of one run number their lines alike: what one of them says in another's place is kept in a stream of its own, and read in
 * the order of time.
 */
@Injectable()
export class ConsoleLinesRepository {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly lines: RunLinesRepository,
  ) {}

  async put(manager: EntityManager, runId: string, offset: number, bodies: readonly string[]): Promise<void> {
    const rows = await manager.query<(StoredLine & { stream: string })[]>(THERE, [runId, offset, bodies.length]);
    const there = new Map(rows.map(({ stream, number, body }) => [`${stream} ${number - offset}`, readLine(body)]));
    const streams = new Map<string, number[]>();
    for (const [i, body] of bodies.entries()) {
      const stream = streamOf(readLine(body), (each) => there.get(`${each} ${i}`));
      const places = streams.get(stream);
      if (places) places.push(i);
      else streams.set(stream, [i]);
    }
    for (const [stream, places] of streams) {
      for (const [from, to] of runsOf(places)) {
        const part = bodies.slice(from, to);
        await this.lines.replace(manager, runId, {
          stream,
          offset: offset + from,
          lines: part,
          steps: part.map(() => null),
        });
      }
    }
  }

  /** The first `limit` lines from the one of this number on. */
  async page(runId: string, from: number, limit: number): Promise<StoredLine[]> {
    if (!(await this.isShared(runId))) return this.lines.page(runId, STREAM, from, limit);
    return (await this.pool.query<StoredLine>(PAGE, [runId, from, limit])).rows;
  }

  /** Number of the line behind the last, as {@link page} counts. */
  async count(runId: string): Promise<number> {
    if (!(await this.isShared(runId))) return (await this.lines.counts(runId)).log;
    const sql = `SELECT count(*)::int AS count FROM run_lines WHERE ${OF_ALL}`;
    return (await this.pool.query<{ count: number }>(sql, [runId])).rows[0]!.count;
  }

  private async isShared(runId: string): Promise<boolean> {
    const sql = `SELECT EXISTS (SELECT FROM run_lines WHERE run_id = $1 AND ${OF_OTHERS}) AS shared`;
    return (await this.pool.query<{ shared: boolean }>(sql, [runId])).rows[0]!.shared;
  }
}

interface ConsoleLine {
  time: string | null;
  label: string | null;
}

function readLine(body: string): ConsoleLine {
  const [, time = null, label = null] = LINE.exec(body) ?? [];
  return { time, label };
}

/** The first stream in which a line's place is free, or its own. */
function streamOf(line: ConsoleLine, there: (stream: string) => ConsoleLine | undefined): string {
  const mayStandIn = (stream: string): boolean => {
    const taken = there(stream);
    return !taken || (taken.time === line.time && (taken.label ?? line.label) === (line.label ?? taken.label));
  };
  if (mayStandIn(STREAM)) return STREAM;
  const labelled = `${STREAM}:${line.label}`;
  if (line.label !== null && mayStandIn(labelled)) return labelled;
  let n = 1;
  while (!mayStandIn(`${OF_NAMELESS}${n}`)) n++;
  return `${OF_NAMELESS}${n}`;
}

/** Numbers that follow each other, as ranges without their ends. */
function runsOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number) last[1] = number + 1;
    else ranges.push([number, number + 1]);
  }
  return ranges;
}
