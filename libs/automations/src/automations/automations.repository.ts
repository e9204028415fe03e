import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { Automation } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { EventType } from '../events/event-types.js';

export interface AutomationFilter {
  scopeKey?: string;
  enabled?: boolean;
  eventType?: EventType;
}

/** Of scopes in the caller's teams, and in projects and registries that were granted to the caller. */
export const VISIBLE_AUTOMATIONS = `(automation.teamId = ANY(:teamIds)
  OR EXISTS (SELECT FROM project_members m WHERE m.project_id = automation.projectId AND m.user_id = :userId)
  OR EXISTS (SELECT FROM registry_members m WHERE m.registry_id = automation.registryId AND m.user_id = :userId))`;

export const visibleTo = ({ teams, userId }: Principal): { teamIds: string[]; userId: string } => ({
  teamIds: [...teams.values()].map(({ teamId }) => teamId),
  userId,
});

const RELATIONS = { team: true, actionTeam: true, project: true, registry: true };

/** Automations with their scopes and teams. */
@Injectable()
export class AutomationsRepository {
  constructor(@InjectRepository(Automation) private readonly automations: Repository<Automation>) {}

  find(id: string): Promise<Automation | null> {
    return this.automations.findOne({ where: { id }, relations: RELATIONS });
  }

  get(id: string): Promise<Automation> {
    return this.automations.findOneOrFail({ where: { id }, relations: RELATIONS });
  }

  /** Of one scope that the caller may see, or of all scopes that the caller may see. */
  findPage(
    caller: Principal,
    { scopeKey, enabled, eventType }: AutomationFilter,
    query: PageQuery,
  ): Promise<Automation[]> {
    const list = this.withRelations();
    if (scopeKey !== undefined) list.andWhere('automation.scopeKey = :scopeKey', { scopeKey });
    else list.andWhere(VISIBLE_AUTOMATIONS, visibleTo(caller));
    if (enabled !== undefined) list.andWhere('automation.enabled = :enabled', { enabled });
    if (eventType !== undefined) list.andWhere('automation.eventType = :eventType', { eventType });
    return findPage(list, query);
  }

  private withRelations(): SelectQueryBuilder<Automation> {
    return this.automations
      .createQueryBuilder('automation')
      .innerJoinAndSelect('automation.team', 'team')
      .innerJoinAndSelect('automation.actionTeam', 'actionTeam')
      .leftJoinAndSelect('automation.project', 'project')
      .leftJoinAndSelect('automation.registry', 'registry');
  }
}
