import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Registry, type Team } from '@heddle/database';
import { ProjectDeletionService } from '@heddle/projects';
import type { EntityManager } from 'typeorm';
import { RegistriesService } from './registries.service.js';

/** A team's registries go with it, before the projects whose versions they link. */
@Injectable()
export class TeamRegistriesPart implements OnModuleInit {
  constructor(
    private readonly projects: ProjectDeletionService,
    private readonly registries: RegistriesService,
  ) {}

  onModuleInit(): void {
    this.projects.includeRegistries(this);
  }

  async delete(manager: EntityManager, caller: Principal, team: Team): Promise<[]> {
    for (const { id, name } of await manager.findBy(Registry, { teamId: team.id })) {
      await this.registries.deleteRows(manager, caller, { id, name, teamId: team.id, entity: team.name });
    }
    return [];
  }
}
