import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ParameterError } from '@heddle/http';
import type { Item } from './input-items.js';
import type { InputItemsQuery } from './input-items.query.js';
import type { ResponseObject } from './response-object.js';
import { ResponseNotCancellableError, ResponseNotFoundError } from './responses.errors.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** A part of a list, as OpenAI's clients page through it. */
export interface ItemPage {
  object: 'list';
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface DeletedResponse {
  id: string;
  object: 'response';
  deleted: true;
}

/** Stored responses: shown, listed, deleted. */
@Injectable()
export class ResponseReader {
  constructor(private readonly stored: StoredResponsesRepository) {}

  /** @throws ResponseNotFoundError */
  async get(caller: Principal, id: string): Promise<ResponseObject> {
    const response = await this.stored.find(caller, id);
    if (!response) throw new ResponseNotFoundError(id);
    return response;
  }

  /** @throws ResponseNotFoundError */
  async delete(caller: Principal, id: string): Promise<DeletedResponse> {
    if (!(await this.stored.delete(caller, id))) throw new ResponseNotFoundError(id);
    return { id, object: 'response', deleted: true };
  }

  /** @throws ResponseNotFoundError | ResponseNotCancellableError */
  async cancel(caller: Principal, id: string): Promise<never> {
    throw new ResponseNotCancellableError((await this.get(caller, id)).id);
  }

  /** @throws ResponseNotFoundError | ParameterError where there is no item `after` */
  async inputItems(caller: Principal, id: string, { after, limit, order }: InputItemsQuery): Promise<ItemPage> {
    await this.get(caller, id);
    const items = await this.stored.input(id);
    if (order === 'desc') items.reverse();
    const from = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1;
    if (after !== undefined && from === 0) throw new ParameterError('after', `Item with id '${after}' not found.`);
    const data = items.slice(from, from + limit);
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    return { object: 'list', data, ...ends, has_more: from + limit < items.length };
  }
}
