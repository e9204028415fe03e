import { Inject, Injectable } from '@nestjs/common';
import { type AdapterShape, type BaseModelInfo, type Engine, EngineError } from '@heddle/engine';
import { type PageQuery, ValidationError } from '@heddle/http';
import { BaseModelDownloadingError, BaseModelFailedError } from './base-models.errors.js';
import { ENGINE } from './engine.token.js';
import { BaseModelSupplyService } from './base-model-supply.service.js';
import type { BaseModelStateName, BaseModelView } from './base-model-states.js';

/** The base models of this process, and whether they can be used. */
@Injectable()
export class BaseModelsService {
  constructor(
    private readonly supply: BaseModelSupplyService,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  /** By name, what follows the cursor: `limit` + 1 where there are as many. */
  list({ after, limit, order }: PageQuery): BaseModelView[] {
    const sorted = this.supply.states.all();
    if (order === 'desc') sorted.reverse();
    const cursor = after === undefined ? -1 : sorted.findIndex(({ id }) => id === after);
    if (after !== undefined && cursor < 0) {
      throw ValidationError.at(['query', 'after'], 'No item of this list has this id', 'cursor', after);
    }
    return sorted.slice(cursor + 1, cursor + 2 + limit);
  }

  get ids(): string[] {
    return this.supply.states.all().map(({ id }) => id);
  }

  inState(state: BaseModelStateName): string[] {
    return this.supply.states.all().flatMap((model) => (model.state === state ? [model.id] : []));
  }

  /** null where there is none of that name. @throws BaseModelDownloadingError | BaseModelFailedError */
  find(id: string): BaseModelInfo | null {
    const model = this.supply.states.get(id);
    if (model?.state === 'downloading') throw new BaseModelDownloadingError(id, model.progress, model.reason);
    if (model?.state === 'failed') throw new BaseModelFailedError(id, model.reason ?? 'nobody knows why');
    return model?.info ?? null;
  }

  /** Why no adapter of this shape can be trained on it; null where one can, or where that is not known yet. */
  refusalOf(id: string, shape: AdapterShape): string | null {
    if (this.supply.states.get(id)?.state !== 'ready') return null;
    try {
      this.engine.checkAdapter(id, shape);
      return null;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'invalid_request') return error.message;
      throw error;
    }
  }

  /** null for one that is not ready. */
  defaultRank(id: string): number | null {
    return this.supply.states.get(id)?.info?.lora.rank ?? null;
  }

  /** What an engine threw while it used the model, or what is really behind that: a file that is damaged. */
  diagnose(id: string, error: unknown): Promise<unknown> {
    return this.supply.diagnose(id, error);
  }
}
