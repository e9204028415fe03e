import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import type { Engine } from '@heddle/engine';
import { toApiError } from '../inference.errors.js';
import { refuseOversized } from '../serving/context-guard.js';
import { type ServedModel, ServedModelsService } from '../serving/served-models.service.js';
import { TokenTextsService } from '../serving/token-texts.service.js';
import type { DetokenizationDto, TokenizationDto } from './tokenization.dto.js';
import { readDetokenizeRequest, readTokenizeRequest } from './tokenize-request.js';

/** Tokens of texts and chats, and back: no weights are loaded for it. */
@Injectable()
export class TokenizationService {
  constructor(
    private readonly models: ServedModelsService,
    private readonly texts: TokenTextsService,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  async tokenize(caller: Principal, body: Buffer): Promise<TokenizationDto> {
    const { model, prompt, tokenStrings, bytes } = readTokenizeRequest(body);
    const served = await this.models.find(caller, model);
    const [parts, promptField] = 'messages' in prompt ? [prompt.messages.length, 'messages'] : [1, 'prompt'];
    refuseOversized({ prompts: [prompt], parts, bytes, promptField }, served.base);
    return this.told(served, async () => {
      const tokens = await this.engine.encode(served.base.id, prompt);
      const texts = await this.texts.of(served.base);
      return {
        count: tokens.length,
        max_model_len: served.base.contextLength,
        tokens,
        token_strs: tokenStrings ? tokens.map((id) => texts.written(id)) : null,
      };
    });
  }

  async detokenize(caller: Principal, body: Buffer): Promise<DetokenizationDto> {
    const { model, tokens } = readDetokenizeRequest(body);
    const served = await this.models.find(caller, model);
    return this.told(served, async () => ({ prompt: (await this.texts.of(served.base)).join(tokens) }));
  }

  private async told<T>({ base }: ServedModel, answer: () => Promise<T>): Promise<T> {
    try {
      return await answer();
    } catch (error) {
      throw toApiError(await this.bases.diagnose(base.id, error), NOBODY_LEFT, { promptField: 'messages' });
    }
  }
}

const NOBODY_LEFT = new AbortController().signal;
