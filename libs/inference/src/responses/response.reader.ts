import { Injectable } from '@nestjs/common';
import { MissingRoleError, type Principal } from '@heddle/auth';
import { ParameterError } from '@heddle/http';
import type { Sendable } from '../answer/send-answer.js';
import type { Item } from './input-items.js';
import type { InputItemsQuery } from './input-items.query.js';
import type { ResponseObject } from './response-object.js';
import type { RetrievalQuery } from './background/retrieval.query.js';
import { BackgroundResponsesRepository } from './background/background-responses.repository.js';
import { BackgroundResponsesService } from './background/background-responses.service.js';
import { LostResponsesService } from './background/lost-responses.service.js';
import { ResponseEventStream } from './background/response-event.stream.js';
import { RunningResponsesRegistry } from './background/running-responses.registry.js';
import { ResponseNotFoundError, ResponseNotStreamedError } from './responses.errors.js';
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

/** Whose member one has to be, in the words of an error. */
const OWNER = 'the team of this response';

/** Stored responses: shown, listed, cancelled, deleted. */
@Injectable()
export class ResponseReader {
  constructor(
    private readonly stored: StoredResponsesRepository,
    private readonly background: BackgroundResponsesService,
    private readonly states: BackgroundResponsesRepository,
    private readonly running: RunningResponsesRegistry,
    private readonly lost: LostResponsesService,
    private readonly events: ResponseEventStream,
  ) {}

  /** As it is now, or its events. @throws ResponseNotFoundError | ResponseNotStreamedError */
  async retrieve(
    caller: Principal,
    id: string,
    { stream, starting_after }: RetrievalQuery,
    left: AbortSignal,
  ): Promise<Sendable> {
    const response = await this.get(caller, id);
    if (stream && !(await this.states.state(id))?.isStreamed) throw new ResponseNotStreamedError(id);
    return {
      isStream: stream,
      whole: async () => response,
      stream: () => this.events.follow(id, starting_after ?? -1, left),
    };
  }

  /** @throws ResponseNotFoundError | ResponseNotCancellableError | MissingRoleError as {@link delete} */
  async cancel(caller: Principal, id: string): Promise<ResponseObject> {
    const response = await this.get(caller, id);
    if (!(await this.stored.isWritable(caller, id))) throw new MissingRoleError('member', OWNER);
    await this.background.cancel(response);
    return this.get(caller, id);
  }

  /** @throws ResponseNotFoundError | MissingRoleError for a viewer, unless it is the viewer's own */
  async delete(caller: Principal, id: string): Promise<DeletedResponse> {
    if (!(await this.stored.delete(caller, id))) {
      await this.get(caller, id);
      throw new MissingRoleError('member', OWNER);
    }
    this.running.stop(id, 'ended');
    return { id, object: 'response', deleted: true };
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

  private async get(caller: Principal, id: string): Promise<ResponseObject> {
    let response = await this.stored.find(caller, id);
    if (response && isUnderWay(response) && (await this.states.state(id))?.isLost) {
      await this.lost.fail(id);
      response = await this.stored.find(caller, id);
    }
    if (!response) throw new ResponseNotFoundError(id);
    return response;
  }
}

const isUnderWay = ({ status }: ResponseObject): boolean => status === 'queued' || status === 'in_progress';
