import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { collectionRef, CollectionsRepository, MembershipWriter } from '@heddle/artifacts';
import { EntityNotFoundError, type Principal, requireTeamAdmin } from '@heddle/auth';
import { PLACE_NAMES, Registry, violates } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { resolveEntity } from '@heddle/projects';
import type { EntityManager, Repository } from 'typeorm';
import { ProjectNameError, RegistryExistsError } from './registries.errors.js';
import {
  placeOfRegistry,
  RegistryAccessService,
  type RegistryName,
  type RegistryRef,
} from './registry-access.service.js';

export interface NewRegistry {
  /** Null means the caller's default one. */
  entity?: string | null;
  name: string;
  description?: string | null;
}

/** Registries as their teams manage them. */
@Injectable()
export class RegistriesService {
  constructor(
    @InjectRepository(Registry) private readonly registries: Repository<Registry>,
    private readonly access: RegistryAccessService,
    private readonly collections: CollectionsRepository,
    private readonly memberships: MembershipWriter,
  ) {}

  /** Team administrators only. */
  async create(caller: Principal, { entity: given, name, description = null }: NewRegistry): Promise<Registry> {
    const entity = resolveEntity(caller, given);
    const { teamId } = requireTeamAdmin(caller, entity);
    const fields = { teamId, name, description, createdBy: caller.username };
    if (!(await this.insert(fields))) throw new RegistryExistsError(`${entity}/${name}`);
    return this.get(caller, { entity, registry: name });
  }

  /** Those of a team, or all that the caller has a role in. */
  async list(caller: Principal, entity: string | undefined, query: PageQuery): Promise<Registry[]> {
    const list = this.registries.createQueryBuilder('registry').innerJoinAndSelect('registry.team', 'team');
    const ofTeams = 'registry.teamId = ANY(:teamIds)';
    const granted = 'EXISTS (SELECT FROM registry_members g WHERE g.registry_id = registry.id AND g.user_id = :userId)';
    list.where(`(${ofTeams} OR ${granted})`, {
      teamIds: [...caller.teams.values()].map(({ teamId }) => teamId),
      userId: caller.userId,
    });
    if (entity === undefined) return findPage(list, query);
    list.andWhere('team.name = :entity', { entity });
    // Whoever has a role in none of them learns nothing of the team.
    if (!caller.teams.has(entity) && !(await list.getExists())) throw new EntityNotFoundError(entity);
    return findPage(list, query);
  }

  async get(caller: Principal, name: RegistryName): Promise<Registry> {
    const { id } = await this.access.requireRole(caller, name, 'viewer');
    return this.registries.findOneOrFail({ where: { id }, relations: { team: true } });
  }

  async describe(caller: Principal, name: RegistryName, description: string | null | undefined): Promise<Registry> {
    const { id } = await this.access.requireRole(caller, name, 'admin');
    if (description !== undefined) await this.registries.update({ id }, { description });
    return this.get(caller, name);
  }

  /** Each of its links ends as if it were taken away by itself. The versions stay in their projects. */
  async delete(caller: Principal, name: RegistryName): Promise<void> {
    const registry = await this.access.requireRole(caller, name, 'admin');
    await this.registries.manager.transaction((manager) => this.deleteRows(manager, caller, registry));
  }

  /** As {@link delete}, in the caller's transaction and for whoever may. */
  async deleteRows(manager: EntityManager, caller: Principal, registry: RegistryRef): Promise<void> {
    for (const collection of await this.collections.findAll(manager, { registryId: registry.id })) {
      await this.memberships.deleteCollection(manager, caller, collectionRef(collection, placeOfRegistry(registry)));
    }
    await manager.delete(Registry, { id: registry.id });
  }

  /** @returns false where the team has a registry of that name @throws ProjectNameError where it has a project */
  private async insert(fields: Partial<Registry>): Promise<boolean> {
    const insert = this.registries.createQueryBuilder().insert().values(fields).orIgnore().returning('id');
    try {
      return ((await insert.execute()).raw as unknown[]).length > 0;
    } catch (error) {
      throw violates(error, PLACE_NAMES) ? new ProjectNameError(fields.name!) : error;
    }
  }
}
