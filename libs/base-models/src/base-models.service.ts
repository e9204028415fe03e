import { Injectable } from '@nestjs/common';
import type { BaseModelInfo } from '@heddle/engine';
import { type PageQuery, ValidationError } from '@heddle/http';
import { BaseModelDownloadingError, BaseModelFailedError } from './base-models.errors.js';
import { BaseModelSupply } from './base-model-supply.service.js';
import type { BaseModelStateName, BaseModelView } from './base-model-states.js';

/** The base models of this process, and whether they can be used. */
@Injectable()
export class BaseModelsService {
  constructor(private readonly supply: BaseModelSupply) {}

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

  /** What an engine threw while it used the model, or what is really behind that: a file that is damaged. */
  diagnose(id: string, error: unknown): Promise<unknown> {
    return this.supply.diagnose(id, error);
  }
}
