import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import type { Engine, GenerateEvent } from '@heddle/engine';
import { ApiError } from '@heddle/http';
import { ChatCompletionBuilder } from './answer/chat-completion.js';
import { type ChatIdentity, chatIdentity } from './answer/chat-identity.js';
import { Chat } from './answer/chat.js';
import { ClientLeftError, toApiError } from './inference.errors.js';
import { type ChatRequest, readChatRequest } from './request/chat-request.js';
import { ChatLimits } from './serving/chat-limits.service.js';
import { refuseOversized } from './serving/context-guard.js';
import { type ServedModel, ServedModels } from './serving/served-models.service.js';
import { type TokenTexts, TokenTextsService } from './serving/token-texts.service.js';
import { started } from './serving/started.js';
import { ChatTracer } from './tracing/chat-tracer.service.js';

interface Asked {
  caller: Principal;
  request: ChatRequest;
  model: ServedModel;
  identity: ChatIdentity;
  texts: TokenTexts;
  left: AbortSignal;
}

/** Chat completions, from a request's body to the events of an answer. */
@Injectable()
export class ChatCompletionsService {
  private readonly logger = new Logger(ChatCompletionsService.name);

  constructor(
    private readonly models: ServedModels,
    private readonly limits: ChatLimits,
    private readonly texts: TokenTextsService,
    private readonly tracer: ChatTracer,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  /**
   * When this resolves the first token of a stream is there: what goes wrong before is an error as any other.
   * @param left ends the generation
   */
  async start(caller: Principal, body: Buffer, left: AbortSignal): Promise<Chat> {
    const request = readChatRequest(body);
    const model = await this.models.find(caller, request.model);
    const identity = chatIdentity(request.model, model);
    const texts = await this.textsOf(model, left);
    const asked = { caller, request, model, identity, texts, left };
    const events = model.isTraced ? this.traced(asked) : this.generate(asked);
    return new Chat(identity, request, texts, request.answer.stream ? await started(events) : events);
  }

  private async *generate({ caller, request, model, left }: Asked): AsyncGenerator<GenerateEvent> {
    const leave = this.limits.enter(caller, model.project);
    try {
      refuseOversized(request, model.base);
      const adapter = await model.open();
      const { messages, tools, options, answer } = request;
      const generation = {
        base: model.base.id,
        adapter: adapter.directory,
        prompt: { messages, tools },
        options,
        // Who asks for token ids trains on them.
        forTraining: answer.tokenIds,
        whole: !answer.stream,
      };
      try {
        yield* this.engine.generate(generation, left);
      } finally {
        adapter.release();
      }
    } catch (error) {
      const shown = await this.shown(error, model, left);
      // Within a stream no filter sees it.
      if (!(shown instanceof ApiError) || shown.status >= 500) this.logger.error({ err: error }, 'a chat failed');
      throw shown;
    } finally {
      leave();
    }
  }

  private textsOf(model: ServedModel, left: AbortSignal): Promise<TokenTexts> {
    return this.texts.of(model.base).catch(async (error) => {
      throw await this.shown(error, model, left);
    });
  }

  private async shown(error: unknown, { base }: ServedModel, left: AbortSignal): Promise<unknown> {
    return toApiError(await this.bases.diagnose(base.id, error), left);
  }

  /** The same events; when they end, also early, the project has a call that says what was asked and answered. */
  private async *traced(asked: Asked): AsyncGenerator<GenerateEvent> {
    const { caller, request, model, identity, texts } = asked;
    const builder = new ChatCompletionBuilder(identity, { ...request.answer, logprobs: false }, texts);
    const startedAt = new Date();
    let error: unknown = new ClientLeftError();
    try {
      for await (const event of this.generate(asked)) {
        builder.add(event);
        yield event;
      }
      error = null;
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      this.tracer.record({
        caller,
        project: model.project!,
        sent: request.sent,
        bytes: request.bytes,
        attributes: { step: model.step, base_model: model.base.id },
        startedAt,
        endedAt: new Date(),
        outcome: error === null ? builder.completion() : { exception: messageOf(error) },
      });
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'Internal server error');
