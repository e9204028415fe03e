import { Injectable } from '@nestjs/common';
import { isFinite } from '@heddle/database';
import type { MetricSteps } from '@heddle/events';
import type { EntityManager } from 'typeorm';
import type { MetricStretch } from './metric-condition.js';

/** How many values are read between a batch's first step and its last, those of other batches among them. */
const mostBetween = (count: number): number => 1000 + 10 * count;

/** Among so many values finite ones are looked for on each side of a batch: of a run that is past hope, the rest may be NaN. */
const MAX_NEAR = 100_000;

const OF_METRIC = 'FROM run_metrics WHERE run_id = $1 AND name = wanted.name';

const neighbours = (where: string, order: 'ASC' | 'DESC'): string => `(
              SELECT step FROM (SELECT step, value ${OF_METRIC} AND ${where} ORDER BY step ${order} LIMIT ${MAX_NEAR}) AS near
               WHERE ${isFinite('value')} ORDER BY step ${order} LIMIT kept.neighbours) AS neighbours`;

/** A batch in which nothing is finite is in no window: its neighbours aren't looked for. */
const STRETCHES = `
  SELECT wanted.name, array_agg(m.value ORDER BY m.step) AS values,
         (count(*) FILTER (WHERE m.step < wanted.first_step))::int AS before,
         (count(*) FILTER (WHERE m.step > wanted.last_step))::int AS after
    FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::int[], $6::int[])
           AS wanted (name, first_step, last_step, neighbours, most)
   CROSS JOIN LATERAL (
     SELECT CASE WHEN bool_or(${isFinite('value')}) THEN wanted.neighbours ELSE 0 END AS neighbours
       FROM (SELECT value ${OF_METRIC} AND step BETWEEN wanted.first_step AND wanted.last_step
              ORDER BY step DESC LIMIT wanted.most) AS newest) AS kept
   CROSS JOIN LATERAL (
     SELECT value, step ${OF_METRIC}
        AND step >= coalesce((SELECT min(step) FROM ${neighbours('step < wanted.first_step', 'DESC')}), wanted.first_step)
        AND step <= coalesce((SELECT max(step) FROM ${neighbours('step > wanted.last_step', 'ASC')}), wanted.last_step)
        AND (step BETWEEN wanted.first_step AND wanted.last_step OR ${isFinite('value')})
      ORDER BY step DESC LIMIT wanted.most) AS m
   GROUP BY wanted.name`;

/** A run's stored values, which is all that metric conditions judge by. */
@Injectable()
export class MetricHistoryRepository {
  /**
   * The values of a batch with their finite neighbours by name, in one query; metrics that have no values are absent. Where
   * other batches wrote far more between its steps than it did, only the newest part.
   * @param needs how many values the largest window on a metric holds, by name; other metrics are left out
   */
  async around(
    manager: EntityManager,
    runId: string,
    written: readonly MetricSteps[],
    needs: ReadonlyMap<string, number>,
  ): Promise<Map<string, MetricStretch>> {
    const wanted = written.flatMap(({ name, ...steps }) => {
      const most = needs.get(name);
      return most === undefined ? [] : { name, ...steps, neighbours: most - 1 };
    });
    if (wanted.length === 0) return new Map();
    const rows = await manager.query<(MetricStretch & { name: string })[]>(STRETCHES, [
      runId,
      wanted.map(({ name }) => name),
      wanted.map(({ firstStep }) => firstStep),
      wanted.map(({ lastStep }) => lastStep),
      wanted.map(({ neighbours }) => neighbours),
      wanted.map(({ neighbours, count }) => 2 * neighbours + mostBetween(count)),
    ]);
    return new Map(rows.map(({ name, ...stretch }) => [name, stretch]));
  }
}
