import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import type { Engine } from '@heddle/engine';
import { toApiError } from '../inference.errors.js';
import { refuseOversized } from '../serving/context-guard.js';
import { ServedModelsService } from '../serving/served-models.service.js';
import { ResponsePromptService } from './response-prompt.service.js';
import { readInputTokensRequest } from './response-request.js';

export interface InputTokens {
  object: 'response.input_tokens';
  input_tokens: number;
}

/** What a response would be given, counted: no weights are loaded for it. */
@Injectable()
export class ResponseTokensService {
  constructor(
    private readonly prompts: ResponsePromptService,
    private readonly models: ServedModelsService,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  /** @throws as {@link ResponsePromptService.of} | UnknownModelError */
  async count(caller: Principal, body: Buffer, left: AbortSignal): Promise<InputTokens> {
    const { generation } = await this.prompts.of(caller, readInputTokensRequest(body), left);
    const { base } = await this.models.find(caller, generation.model);
    refuseOversized(generation, base);
    try {
      const tokens = await this.engine.encode(base.id, generation.prompts[0]!);
      return { object: 'response.input_tokens', input_tokens: tokens.length };
    } catch (error) {
      throw toApiError(await this.bases.diagnose(base.id, error), left, generation);
    }
  }
}
