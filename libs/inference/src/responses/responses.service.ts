import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ParameterError } from '@heddle/http';
import type { Answer } from '../answer/answer.js';
import type { AnswerContext } from '../answer/answer-form.js';
import { chatGeneration } from '../serving/chat-generation.js';
import { GenerationsService } from '../serving/generations.service.js';
import type { Item } from './input-items.js';
import { chatOf } from './response-chat.js';
import { ResponseForm, type WholeResponse } from './response.form.js';
import type { ResponseObject } from './response-object.js';
import { ResponseTruncationService } from './response-truncation.service.js';
import { readResponseRequest, type ResponseRequest } from './response-request.js';
import { PreviousResponseNotFoundError } from './responses.errors.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** Responses, from a request's body to the events of an answer that later requests can go on from. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly generations: GenerationsService,
    private readonly stored: StoredResponsesRepository,
    private readonly truncation: ResponseTruncationService,
  ) {}

  /** @throws as {@link GenerationsService.start} | PreviousResponseNotFoundError */
  async start(caller: Principal, body: Buffer, left: AbortSignal): Promise<Answer<WholeResponse>> {
    const request = readResponseRequest(body);
    const input = await this.lookedUp(caller, request.input);
    const all = [...(await this.history(caller, request)), ...input];
    const chatWith = (items: readonly Item[]) => chatOf(request, items);
    const newest = request.isTruncated ? await this.truncation.newest(caller, all, chatWith, left) : null;
    const chat = chatWith(newest?.items ?? all);
    const formOf = (context: AnswerContext): ResponseForm => {
      const save = (response: ResponseObject) => this.save(caller, context, request, input, response);
      return new ResponseForm(context, { answer: chat.answer, echo: request.echo, save: request.store ? save : null });
    };
    const generation = { ...chatGeneration(chat, 'input'), ...(newest && { promptBytes: newest.bytes }) };
    return this.generations.start(caller, generation, formOf, left);
  }

  private async history(caller: Principal, { previousId }: ResponseRequest): Promise<Item[]> {
    if (previousId === null) return [];
    const chain = await this.stored.chain(caller, previousId);
    const missing = chain.length === 0 ? previousId : chain[0]!.previousId;
    // What one has forgotten must not be left out unsaid.
    if (missing !== null) throw new PreviousResponseNotFoundError(missing);
    return chain.flatMap(({ items }) => items);
  }

  /** With the items that others of them refer to. */
  private async lookedUp(caller: Principal, input: readonly Item[]): Promise<Item[]> {
    const ids = input.filter(({ type }) => type === 'item_reference').map(({ id }) => id);
    if (ids.length === 0) return [...input];
    const known = await this.stored.items(caller, ids);
    return input.map((item, i) => {
      const meant = item.type === 'item_reference' ? known.get(item.id) : item;
      if (meant) return meant;
      throw new ParameterError(`input[${i}].id`, `Item with id '${item.id}' not found.`, { code: 'item_not_found' });
    });
  }

  private save(
    caller: Principal,
    { model }: AnswerContext,
    { previousId }: ResponseRequest,
    input: readonly Item[],
    response: ResponseObject,
  ): Promise<void> {
    const { userId, defaultTeam, teams } = caller;
    const teamId = model.project?.teamId ?? (defaultTeam && teams.get(defaultTeam)?.teamId) ?? null;
    return this.stored.insert({ teamId: teamId || null, userId, response, previousId, input });
  }
}
