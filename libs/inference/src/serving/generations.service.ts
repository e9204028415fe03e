import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import type { Engine, GenerateEvent } from '@heddle/engine';
import { ApiError, ClientLeftError } from '@heddle/http';
import { sampledTokens } from '@heddle/metrics';
import type { AnswerContext, AnswerEvent, AnswerForm, TracedAnswer } from '../answer/answer-form.js';
import { Answer } from '../answer/answer.js';
import { toApiError } from '../inference.errors.js';
import { ChatTracer } from '../tracing/chat.tracer.js';
import { ChatLimitsService } from './chat-limits.service.js';
import { refuseOversized } from './context-guard.js';
import type { GenerationRequest } from './generation-request.js';
import { mergedPrompts } from './merged-prompts.js';
import { type ServedModel, ServedModelsService } from './served-models.service.js';
import { started } from './started.js';
import { TokenTextsService } from './token-texts.service.js';

interface Asked {
  caller: Principal;
  request: GenerationRequest;
  model: ServedModel;
  left: AbortSignal;
}

/** The one way from a request that was read to the events of its answer: chats, completions and responses take it. */
@Injectable()
export class GenerationsService {
  private readonly logger = new Logger('Generations');

  constructor(
    private readonly models: ServedModelsService,
    private readonly limits: ChatLimitsService,
    private readonly texts: TokenTextsService,
    private readonly tracer: ChatTracer,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
  ) {}

  /**
   * When this resolves the first token of a stream is there: what goes wrong before is an error as any other.
   * @param formOf what the answer looks like
   * @param left ends the generation
   */
  async start<A extends TracedAnswer>(
    caller: Principal,
    request: GenerationRequest,
    formOf: (context: AnswerContext) => AnswerForm<A>,
    left: AbortSignal,
  ): Promise<Answer<A>> {
    const { form, events } = await this.prepare(caller, request, formOf, left);
    return new Answer(request.stream, form, request.stream ? await started(events) : events);
  }

  /** Nothing is generated before the first event is asked for. @param formOf as that of {@link start} */
  async prepare<F extends AnswerForm>(
    caller: Principal,
    request: GenerationRequest,
    formOf: (context: AnswerContext) => F,
    left: AbortSignal,
  ): Promise<{ form: F; events: AsyncGenerator<AnswerEvent>; model: ServedModel }> {
    const model = await this.models.find(caller, request.model);
    const asked = { caller, request, model, left };
    const texts = await this.texts.of(model.base).catch(async (error) => {
      throw await this.shown(error, asked);
    });
    const form = formOf({ name: request.model, model, texts });
    return { form, model, events: model.isTraced ? this.traced(asked, form) : this.generate(asked) };
  }

  private async *generate(asked: Asked): AsyncGenerator<AnswerEvent> {
    const { caller, request, model, left } = asked;
    const leave = request.waits
      ? await this.limits.enterInTurn(caller, model.project, left)
      : this.limits.enter(caller, model.project);
    try {
      refuseOversized(request, model.base);
      const adapter = await model.open();
      const { prompts, options, stream, tokenIds } = request;
      const common = {
        base: model.base.id,
        adapter: adapter.directory,
        options,
        forTraining: tokenIds,
        whole: !stream,
      };
      try {
        const generations = prompts.map((prompt) => eventsOf(this.engine.generate({ ...common, prompt }, left)));
        yield* mergedPrompts(generations, options.n ?? 1);
      } finally {
        adapter.release();
      }
    } catch (error) {
      const shown = await this.shown(error, asked);
      // Within a stream no filter sees it.
      if (!(shown instanceof ApiError) || shown.status >= 500) this.logger.error({ err: error }, 'a chat failed');
      throw shown;
    } finally {
      leave();
    }
  }

  private async shown(error: unknown, { model: { base }, request, left }: Omit<Asked, 'caller'>): Promise<unknown> {
    return toApiError(await this.bases.diagnose(base.id, error), left, request);
  }

  /** The same events; when they end, also early, the project has a call that says what was asked and answered. */
  private async *traced(asked: Asked, form: AnswerForm): AsyncGenerator<AnswerEvent> {
    const { caller, request, model } = asked;
    const builder = form.traced();
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
        operation: form.operation,
        sent: request.sent,
        bytes: request.bytes,
        attributes: { step: model.step, base_model: model.base.id },
        startedAt,
        endedAt: new Date(),
        outcome: error === null ? builder.answer() : { exception: messageOf(error) },
      });
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'Internal server error');

async function* eventsOf(events: AsyncIterable<GenerateEvent>): AsyncGenerator<GenerateEvent> {
  for await (const event of events) {
    if (event.type === 'tokens') sampledTokens.inc(event.tokens.length);
    yield event;
  }
}
