import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import { type Engine, EngineError } from '@heddle/engine';
import { toApiError } from '../inference.errors.js';
import type { ChatRequest } from '../request/chat-request.js';
import { chatGeneration } from '../serving/chat-generation.js';
import { mayFit } from '../serving/context-guard.js';
import { type ServedModel, ServedModelsService } from '../serving/served-models.service.js';
import type { Item } from './input-items.js';
import { newestThatFit } from './oldest-first.js';

/** `truncation: "auto"`: a conversation that outgrew the context loses its oldest items, never its instructions. */
@Injectable()
export class ResponseTruncationService {
  constructor(
    private readonly models: ServedModelsService,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  /**
   * @param chatOf the chat that items make
   * @returns as many of the newest items as leave room for the answer, and the last one always
   * @throws as the generation of all items would
   */
  async newest(
    caller: Principal,
    items: readonly Item[],
    chatOf: (items: readonly Item[]) => ChatRequest,
    left: AbortSignal,
  ): Promise<{ items: Item[]; bytes: number }> {
    const served = await this.models.find(caller, chatOf(items).model);
    const sizes = new Map(items.map((item) => [item, Buffer.byteLength(JSON.stringify(item))]));
    const bytesOf = (some: readonly Item[]) => some.reduce((sum, item) => sum + sizes.get(item)!, 0);
    // Nobody counts the tokens of megabytes.
    const possible = await newestThatFit(items, async (some) =>
      mayFit({ prompts: 1, parts: some.length, bytes: bytesOf(some) }, served.base),
    );
    const fits = (some: readonly Item[]) => this.fits(chatOf(some), served);
    try {
      const isWhole = await fits(possible);
      // Some templates refuse a conversation that begins in the middle.
      const kept = isWhole ? possible : await newestThatFit(possible, (some) => fits(some).catch(asTooLong));
      return { items: kept, bytes: bytesOf(kept) };
    } catch (error) {
      throw toApiError(await this.bases.diagnose(served.base.id, error), left, { promptField: 'input' });
    }
  }

  private async fits(chat: ChatRequest, { base }: ServedModel): Promise<boolean> {
    const [prompt] = chatGeneration(chat, 'input').prompts;
    const tokens = await this.engine.encode(base.id, prompt!);
    return tokens.length + (chat.options.maxTokens ?? 1) <= base.contextLength;
  }
}

function asTooLong(error: unknown): false {
  if (error instanceof EngineError) return false;
  throw error;
}
