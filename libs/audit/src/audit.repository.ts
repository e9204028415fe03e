import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AuditEntry, type AuditOutcome } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository } from 'typeorm';

export type NewEntry = Omit<AuditEntry, 'id' | 'createdAt' | 'subject' | 'outcome'>;

/** By which a change's team is found: names of teams, and ids of what belongs to one. */
export interface TeamHints {
  names: string[];
  ids: string[];
}

export interface AuditFilter {
  /** null: whosever. */
  teamIds: readonly string[] | null;
  team?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  outcome?: AuditOutcome | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Ids are unique over all tables. */
const TEAM_OF = `
  SELECT t.id AS "teamId", t.name AS team FROM teams t WHERE t.name = ANY($1) OR t.id IN (
    SELECT id FROM unnest($2::uuid[]) AS given (id)
    UNION ALL SELECT team_id FROM automations WHERE id = ANY($2)
    UNION ALL SELECT a.team_id FROM automation_executions e JOIN automations a ON a.id = e.automation_id WHERE e.id = ANY($2)
    UNION ALL SELECT team_id FROM webhooks WHERE id = ANY($2)
    UNION ALL SELECT team_id FROM registries WHERE id = ANY($2)
    UNION ALL SELECT p.team_id FROM models m JOIN projects p ON p.id = m.project_id WHERE m.id = ANY($2)
    UNION ALL SELECT p.team_id FROM training_jobs j JOIN models m ON m.id = j.model_id
                JOIN projects p ON p.id = m.project_id WHERE j.id = ANY($2)
    UNION ALL SELECT p.team_id FROM runs r JOIN projects p ON p.id = r.project_id WHERE r.id = ANY($2)
    UNION ALL SELECT coalesce(p.team_id, g.team_id) FROM artifact_collections c LEFT JOIN projects p ON p.id = c.project_id
                LEFT JOIN registries g ON g.id = c.registry_id
               WHERE c.id = ANY($2) OR c.id IN (SELECT collection_id FROM artifact_versions WHERE id = ANY($2)))
   ORDER BY t.name = ANY($1) DESC LIMIT 1`;

@Injectable()
export class AuditRepository {
  constructor(@InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>) {}

  /** The team that a change is about; nulls where it is about none. */
  async teamOf({ names, ids }: TeamHints): Promise<Pick<AuditEntry, 'teamId' | 'team'>> {
    const none = { teamId: null, team: null };
    if (names.length + ids.length === 0) return none;
    const [found] = await this.entries.query<Pick<AuditEntry, 'teamId' | 'team'>[]>(TEAM_OF, [names, ids]);
    return found ?? none;
  }

  async begin(entry: NewEntry): Promise<string> {
    const { identifiers } = await this.entries.insert(entry);
    return (identifiers[0] as { id: string }).id;
  }

  /** @param outcome null: there is nothing to be told of */
  async end(id: string, outcome: AuditOutcome | null, subject: string | null): Promise<void> {
    if (outcome === null) await this.entries.delete({ id });
    else await this.entries.update({ id }, { outcome, subject });
  }

  findPage(
    { teamIds, team, actor, action, outcome, since, until }: AuditFilter,
    query: PageQuery,
  ): Promise<AuditEntry[]> {
    const list = this.entries.createQueryBuilder('entry');
    if (teamIds) list.andWhere('entry.teamId = ANY(:teamIds)', { teamIds });
    if (team) list.andWhere('entry.team = :team', { team });
    if (actor) list.andWhere('entry.username = :actor', { actor });
    if (action) list.andWhere('entry.action = :action', { action });
    if (outcome) list.andWhere('entry.outcome = :outcome', { outcome });
    if (since) list.andWhere('entry.createdAt >= :since', { since });
    if (until) list.andWhere('entry.createdAt <= :until', { until });
    return findPage(list, query);
  }
}
