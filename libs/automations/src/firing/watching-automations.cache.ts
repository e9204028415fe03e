import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { EventType } from '../events/event-types.js';
import type { EventFacts } from '../matching/event-facts.js';
import { AutomationIndex } from './automation-index.js';
import type { ScopeKey } from './scope-key.js';
import { type AutomationRow, toWatching, type WatchingAutomation } from './watching-automation.js';

/** Automations of all scopes together, some kilobytes each with their compiled patterns. */
const MAX_REMEMBERED = 20_000;

const VERSIONS = 'SELECT key, version FROM automation_scopes WHERE key = ANY($1)';

/** In one statement, hence of one moment: the version and the automations belong together. */
const LOAD = `
  SELECT s.version, a.id, a.event_type, a.filter, a.action_team_id, a.webhook_id
    FROM automation_scopes s LEFT JOIN automations a ON a.scope_key = s.key AND a.enabled
   WHERE s.key = $1`;

interface Remembered {
  version: string;
  byType: ReadonlyMap<EventType, AutomationIndex>;
  count: number;
}

/**
 * The enabled automations of a scope, remembered for as long as its version stands: every change to an automation moves
 * it in the same transaction, and every event reads it. So what is remembered is what is committed.
 */
@Injectable()
export class WatchingAutomationsCache {
  private readonly remembered = new LRUCache<ScopeKey, Remembered>({
    maxSize: MAX_REMEMBERED,
    maxEntrySize: MAX_REMEMBERED,
    sizeCalculation: ({ count }) => count + 1,
  });

  /** Those that watch one of the event types in one of the scopes and that the facts could match. */
  async find(
    manager: EntityManager,
    scopes: readonly ScopeKey[],
    types: readonly EventType[],
    facts: EventFacts,
  ): Promise<WatchingAutomation[]> {
    const found: WatchingAutomation[][] = [];
    for (const { key, version } of await manager.query<{ key: ScopeKey; version: string }[]>(VERSIONS, [scopes])) {
      const known = this.remembered.get(key);
      const { byType } = known?.version === version ? known : await this.load(manager, key);
      for (const type of types) found.push(byType.get(type)?.candidates(facts) ?? []);
    }
    return found.flat();
  }

  private async load(manager: EntityManager, key: ScopeKey): Promise<Remembered> {
    const rows = await manager.query<(AutomationRow & { version: string })[]>(LOAD, [key]);
    const byType = new Map<EventType, WatchingAutomation[]>();
    for (const row of rows) {
      // A scope without an enabled automation is one row of nulls.
      if (!row.id) continue;
      const ofType = byType.get(row.event_type) ?? [];
      if (ofType.push(toWatching(row)) === 1) byType.set(row.event_type, ofType);
    }
    const indexes = new Map([...byType].map(([type, automations]) => [type, new AutomationIndex(automations)]));
    const scope = { version: rows[0]?.version ?? '', byType: indexes, count: rows.length };
    this.remembered.set(key, scope);
    return scope;
  }
}
