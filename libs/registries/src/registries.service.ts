import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { collectionRef, CollectionsRepository, MembershipWriter } from '@heddle/artifacts';
import { type Principal, requireMembership, requireTeamAdmin } from '@heddle/auth';
import { PLACE_NAMES, Registry, violates } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { resolveEntity } from '@heddle/projects';
import type { Repository } from 'typeorm';
import { ProjectNameError, RegistryExistsError } from './registries.errors.js';
import { placeOfRegistry, RegistryAccessService, type RegistryName } from './registry-access.service.js';

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
  list(caller: Principal, entity: string | undefined, query: PageQuery): Promise<Registry[]> {
    const teams = entity === undefined ? [...caller.teams.values()] : [requireMembership(caller, entity)];
    const list = this.registries.createQueryBuilder('registry').innerJoinAndSelect('registry.team', 'team');
    const ofTeams = 'registry.teamId = ANY(:teamIds)';
    const granted = 'EXISTS (SELECT FROM registry_members g WHERE g.registry_id = registry.id AND g.user_id = :userId)';
    list.where(entity === undefined ? `(${ofTeams} OR ${granted})` : ofTeams, {
      teamIds: teams.map(({ teamId }) => teamId),
      userId: caller.userId,
    });
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
    await this.registries.manager.transaction(async (manager) => {
      for (const collection of await this.collections.findAll(manager, { registryId: registry.id })) {
        await this.memberships.deleteCollection(manager, caller, collectionRef(collection, placeOfRegistry(registry)));
      }
      await manager.delete(Registry, { id: registry.id });
    });
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
