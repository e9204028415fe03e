import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ParameterError } from '@heddle/http';
import type { ChatRequest } from '../request/chat-request.js';
import { chatGeneration } from '../serving/chat-generation.js';
import type { GenerationRequest } from '../serving/generation-request.js';
import type { Item } from './input-items.js';
import { chatOf } from './response-chat.js';
import { ResponseTruncationService } from './response-truncation.service.js';
import type { ResponseRequest } from './response-request.js';
import { PreviousResponseNotFoundError, PreviousResponseUnansweredError } from './responses.errors.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** A response's request with everything that it refers to. */
export interface ResponsePrompt {
  /** Its own items, without those before them. */
  input: Item[];
  chat: ChatRequest;
  generation: GenerationRequest;
}

/** Finds what a response's request refers to and makes it the chat that the model is given. */
@Injectable()
export class ResponsePromptService {
  constructor(
    private readonly stored: StoredResponsesRepository,
    private readonly truncation: ResponseTruncationService,
  ) {}

  /** @throws ParameterError | PreviousResponseNotFoundError | PreviousResponseUnansweredError */
  async of(caller: Principal, request: ResponseRequest, left: AbortSignal): Promise<ResponsePrompt> {
    const input = await this.lookedUp(caller, request.input);
    const all = [...(await this.history(caller, request)), ...input];
    const chatWith = (items: readonly Item[]) => chatOf(request, items);
    const newest = request.isTruncated ? await this.truncation.newest(caller, all, chatWith, left) : null;
    const chat = chatWith(newest?.items ?? all);
    const generation = { ...chatGeneration(chat, 'input'), ...(newest && { promptBytes: newest.bytes }) };
    return { input, chat, generation };
  }

  private async history(caller: Principal, { previousId }: ResponseRequest): Promise<Item[]> {
    if (previousId === null) return [];
    const chain = await this.stored.chain(caller, previousId);
    const missing = chain.length === 0 ? previousId : chain[0]!.previousId;
    // What one has forgotten must not be left out unsaid.
    if (missing !== null) throw new PreviousResponseNotFoundError(missing);
    if (!chain.at(-1)!.isAnswered) throw new PreviousResponseUnansweredError(previousId);
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
}
