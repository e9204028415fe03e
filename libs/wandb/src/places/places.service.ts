import { Injectable } from '@nestjs/common';
import { EntityNotFoundError, type Principal } from '@heddle/auth';
import { ProjectAccessService } from '@heddle/projects';
import { RegistryAccessService, RegistryNotFoundError, type RegistryRef } from '@heddle/registries';
import { projectNameOf } from '../projects/project-name.js';
import { type PlaceSource, registryNameOf, registrySource } from './place-source.js';

/** Projects and registries by the names that clients have for them, for those who may see them. */
@Injectable()
export class PlacesService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly registries: RegistryAccessService,
  ) {}

  /** Null where there is none, and for another team's alike. */
  async find(
    caller: Principal,
    entity: string | null | undefined,
    name: string | null | undefined,
  ): Promise<PlaceSource | null> {
    if (!entity && !caller.defaultTeam) return null;
    try {
      const project = projectNameOf(caller, entity, name);
      const registry = await this.findRegistry(caller, project.entity, project.project);
      return registry ? registrySource(registry) : await this.projects.find(caller, project);
    } catch (error) {
      if (error instanceof EntityNotFoundError) return null;
      throw error;
    }
  }

  /** The registry that clients call so; null where that is no registry's name, or there is none. */
  async findRegistry(caller: Principal, entity: string, project: string): Promise<RegistryRef | null> {
    const registry = registryNameOf(project);
    if (!registry) return null;
    try {
      return await this.registries.requireRole(caller, { entity, registry }, 'viewer');
    } catch (error) {
      if (error instanceof RegistryNotFoundError) return null;
      throw error;
    }
  }
}
