import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import { EntityNotFoundError, ProjectAccessService } from '@heddle/projects';
import type { ModelName, ModelRef } from './model-ref.js';
import { ModelNotFoundError } from './models.errors.js';
import { ModelsRepository } from './models.repository.js';

/** Models as their project's users see them: viewers read, members write, and nobody else learns that there is one. */
@Injectable()
export class ModelAccessService {
  constructor(
    private readonly models: ModelsRepository,
    private readonly projects: ProjectAccessService,
  ) {}

  /**
   * @param id as it was sent: what is no uuid is nobody's
   * @param role that the caller must have in the project: `member` to write
   * @throws ModelNotFoundError | MissingRoleError, a 403
   */
  async find(caller: Principal, id: string, role: PlaceRole = 'viewer'): Promise<ModelRef> {
    return this.permit(caller, await this.models.findById(id), id, role);
  }

  /** As {@link find}, for `entity/project/name`. */
  async findByName(caller: Principal, name: ModelName, role: PlaceRole = 'viewer'): Promise<ModelRef> {
    const text = `${name.entity}/${name.project}/${name.model}`;
    return this.permit(caller, await this.models.findByName(name), text, role);
  }

  private async permit(caller: Principal, ref: ModelRef | null, asked: string, role: PlaceRole): Promise<ModelRef> {
    if (!ref) throw new ModelNotFoundError(asked);
    const { entity, name: project } = ref.project;
    try {
      await this.projects.requireRole(caller, { entity, project }, role);
    } catch (error) {
      // Its message would name the team that owns the model.
      throw error instanceof EntityNotFoundError ? new ModelNotFoundError(asked) : error;
    }
    return ref;
  }
}
