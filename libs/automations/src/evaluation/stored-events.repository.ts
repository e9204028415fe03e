import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AutomationEvent } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Scope } from '../automations/scope-access.service.js';

/** Events that happened in a scope. */
@Injectable()
export class StoredEventsRepository {
  constructor(@InjectRepository(AutomationEvent) private readonly events: Repository<AutomationEvent>) {}

  find(scope: Scope, id: string): Promise<AutomationEvent | null> {
    return this.inScope(scope).andWhere('event.id = :id', { id }).getOne();
  }

  findPage(scope: Scope, type: string, query: PageQuery): Promise<AutomationEvent[]> {
    return findPage(this.inScope(scope).andWhere('event.type = :type', { type }), query);
  }

  private inScope({ teamId, projectId, registryId }: Scope): SelectQueryBuilder<AutomationEvent> {
    const list = this.events.createQueryBuilder('event').where('event.teamId = :teamId', { teamId });
    if (projectId !== null) list.andWhere('event.projectId = :projectId', { projectId });
    if (registryId !== null) list.andWhere('event.registryId = :registryId', { registryId });
    return list;
  }
}
