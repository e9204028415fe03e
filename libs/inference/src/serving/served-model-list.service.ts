import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectEngine } from '@heddle/base-models';
import type { Engine } from '@heddle/engine';
import { type ModelRef, ModelsRepository } from '@heddle/models';

export interface ListedModel {
  id: string;
  createdAt: Date | null;
  /** The team. */
  owner: string;
}

/** OpenAI's list has no pages. */
const MAX_MODELS = 1000;
/** Of a team's own models, as many as fit into an error's message. */
const MAX_NAMED = 10;
/** Who owns base models. */
export const OURS = 'heddle';

/** What a caller may chat with. */
@Injectable()
export class ServedModelListService {
  constructor(
    private readonly models: ModelsRepository,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  async list(caller: Principal): Promise<ListedModel[]> {
    return [...this.bases(), ...(await this.newest(caller, MAX_MODELS)).slice(0, MAX_MODELS)];
  }

  /** For whoever named another one. */
  async inWords(caller: Principal): Promise<string> {
    const own = await this.newest(caller, MAX_NAMED);
    const named = [...this.bases(), ...own.slice(0, MAX_NAMED)].map(({ id }) => `'${id}'`).join(', ');
    return `There are ${named}${own.length > MAX_NAMED ? ' and more: GET /v1/models lists them' : ''}`;
  }

  private bases(): ListedModel[] {
    return this.engine.baseModels().map(({ id }) => ({ id, createdAt: null, owner: OURS }));
  }

  /** One more than the limit where there are more. */
  private async newest(caller: Principal, limit: number): Promise<ListedModel[]> {
    const teamIds = [...caller.teams.values()].map(({ teamId }) => teamId);
    return (await this.models.findPage(teamIds, caller.userId, {}, { limit, order: 'desc' })).map(listed);
  }
}

const listed = ({ model, project }: ModelRef): ListedModel => ({
  id: `wandb-artifact:///${project.entity}/${project.name}/${model.name}`,
  createdAt: model.createdAt,
  owner: project.entity,
});
