import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

/** For so long a count stands before it is taken anew; what other processes fired meanwhile is over the limit at most. */
const COUNT_STANDS_MS = 1000;

const COUNT = {
  automation: `
    SELECT automation_id AS id, count(*) AS count FROM automation_executions
     WHERE automation_id = ANY($1) AND created_at > now() - interval '1 minute' AND reason IS DISTINCT FROM 'rate_limited'
     GROUP BY automation_id`,
  team: `
    SELECT team_id AS id, count(*) AS count FROM automation_executions
     WHERE team_id = ANY($1) AND created_at > now() - interval '1 minute' AND reason IS DISTINCT FROM 'rate_limited'
     GROUP BY team_id`,
};

interface Count {
  /** By `performance.now()`: a clock that is set back would let an old count stand for hours. */
  takenAt: number;
  fired: number;
}

/** Caps firings of a minute, for each automation and for each team: a loop or a mistake must not flood a receiver. */
@Injectable()
export class FiringRatesService {
  private readonly counts = new LRUCache<string, Count>({ max: 50_000 });

  constructor(private readonly env: Env) {}

  /** Which of the firings are within the limits; they are counted. */
  async admit<T extends { id: string; teamId: string }>(
    manager: EntityManager,
    firings: readonly T[],
  ): Promise<Set<T>> {
    const now = performance.now();
    await this.refresh(
      manager,
      'automation',
      firings.map(({ id }) => id),
      now,
    );
    await this.refresh(
      manager,
      'team',
      firings.map(({ teamId }) => teamId),
      now,
    );
    return new Set(
      firings.filter(({ id, teamId }) => {
        const ofAutomation = this.counts.get(id)!;
        const ofTeam = this.counts.get(teamId)!;
        if (ofAutomation.fired >= this.env.AUTOMATION_FIRINGS_PER_MINUTE) return false;
        if (ofTeam.fired >= this.env.TEAM_FIRINGS_PER_MINUTE) return false;
        ofAutomation.fired++;
        ofTeam.fired++;
        return true;
      }),
    );
  }

  private async refresh(manager: EntityManager, kind: keyof typeof COUNT, ids: string[], now: number): Promise<void> {
    const stale = [...new Set(ids)].filter(
      (id) => (this.counts.get(id)?.takenAt ?? -Infinity) <= now - COUNT_STANDS_MS,
    );
    if (stale.length === 0) return;
    const rows = await manager.query<{ id: string; count: string }[]>(COUNT[kind], [stale]);
    const fired = new Map(rows.map(({ id, count }) => [id, Number(count)]));
    for (const id of stale) this.counts.set(id, { takenAt: now, fired: fired.get(id) ?? 0 });
  }
}
