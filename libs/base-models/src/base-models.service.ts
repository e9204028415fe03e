import { Injectable } from '@nestjs/common';
import type { BaseModelInfo, Engine } from '@heddle/engine';
import { type PageQuery, ValidationError } from '@heddle/http';
import { InjectEngine } from './engine.module.js';

@Injectable()
export class BaseModelsService {
  constructor(@InjectEngine() private readonly engine: Engine) {}

  /** By name, what follows the cursor: `limit` + 1 where there are as many. */
  list({ after, limit, order }: PageQuery): BaseModelInfo[] {
    const sorted = [...this.engine.baseModels()].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (order === 'desc') sorted.reverse();
    const cursor = after === undefined ? -1 : sorted.findIndex(({ id }) => id === after);
    if (after !== undefined && cursor < 0) {
      throw ValidationError.at(['query', 'after'], 'No item of this list has this id', 'cursor', after);
    }
    return sorted.slice(cursor + 1, cursor + 2 + limit);
  }

  get ids(): string[] {
    return this.engine.baseModels().map(({ id }) => id);
  }
}
