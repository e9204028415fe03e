import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectEngine } from '@heddle/base-models';
import type { Engine } from '@heddle/engine';
import { type ModelRef, ModelsRepository } from '@heddle/models';
import { ServedModels } from './served-models.service.js';

export interface ListedModel {
  id: string;
  createdAt: Date | null;
  /** The team. */
  owner: string;
}

/** OpenAI's list has no pages. */
const MAX_MODELS = 1000;
const OURS = 'heddle';

/** What a caller may chat with. */
@Injectable()
export class ServedModelList {
  constructor(
    private readonly served: ServedModels,
    private readonly models: ModelsRepository,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  async list(caller: Principal): Promise<ListedModel[]> {
    const teamIds = [...caller.teams.values()].map(({ teamId }) => teamId);
    const page = { limit: MAX_MODELS, order: 'desc' as const };
    const own = await this.models.findPage(teamIds, caller.userId, {}, page);
    return [
      ...this.engine.baseModels().map(({ id }) => ({ id, createdAt: null, owner: OURS })),
      ...own.slice(0, MAX_MODELS).map(listed),
    ];
  }

  /** @throws UnknownModelError */
  async get(caller: Principal, id: string): Promise<ListedModel> {
    const { project, createdAt } = await this.served.find(caller, id);
    return { id, createdAt, owner: project?.entity ?? OURS };
  }
}

const listed = ({ model, project }: ModelRef): ListedModel => ({
  id: `wandb-artifact:///${project.entity}/${project.name}/${model.name}`,
  createdAt: model.createdAt,
  owner: project.entity,
});
