import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

const NEWEST = `
  SELECT wanted.name, array_agg(m.value ORDER BY m.step DESC) AS values
    FROM unnest($2::text[], $3::int[]) AS wanted (name, count)
   CROSS JOIN LATERAL (SELECT value, step FROM run_metrics
                        WHERE run_id = $1 AND name = wanted.name ORDER BY step DESC LIMIT wanted.count) m
   GROUP BY wanted.name`;

/** A run's stored values, which is all that metric conditions judge by. */
@Injectable()
export class MetricHistoryRepository {
  /**
   * The newest values of some metrics of a run, the newest first.
   * @param counts how many, by name
   */
  async newest(
    manager: EntityManager,
    runId: string,
    counts: ReadonlyMap<string, number>,
  ): Promise<Map<string, readonly number[]>> {
    if (counts.size === 0) return new Map();
    const rows = await manager.query<{ name: string; values: number[] }[]>(NEWEST, [
      runId,
      [...counts.keys()],
      [...counts.values()],
    ]);
    return new Map(rows.map(({ name, values }) => [name, values]));
  }
}
