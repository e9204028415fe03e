import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { AnswerContext } from '../../answer/answer-form.js';
import type { Sendable } from '../../answer/send-answer.js';
import { GenerationsService } from '../../serving/generations.service.js';
import { ResponseForm } from '../response.form.js';
import type { ResponseObject } from '../response-object.js';
import { ownerOf } from '../response-owner.js';
import type { ResponsePrompt } from '../response-prompt.service.js';
import type { ResponseRequest } from '../response-request.js';
import { ResponseNotCancellableError } from '../responses.errors.js';
import { type BackgroundJob, BackgroundResponseRunner } from './background-response.runner.js';
import { BackgroundResponsesRepository } from './background-responses.repository.js';
import { ResponseEventStream } from './response-event.stream.js';
import { RunningResponsesRegistry } from './running-responses.registry.js';

/** Responses that are answered at once and made afterwards: in this process, as long as it lives. */
@Injectable()
export class BackgroundResponsesService {
  constructor(
    private readonly generations: GenerationsService,
    private readonly repository: BackgroundResponsesRepository,
    private readonly running: RunningResponsesRegistry,
    private readonly runner: BackgroundResponseRunner,
    private readonly events: ResponseEventStream,
  ) {}

  /**
   * @returns the response as it is now, or the stream of its events, which may be left
   * @throws TooManyBackgroundResponsesError | as {@link GenerationsService.prepare}
   */
  async start(
    caller: Principal,
    request: ResponseRequest,
    prompt: ResponsePrompt,
    left: AbortSignal,
  ): Promise<Sendable> {
    const leave = this.running.enter(caller);
    try {
      const { job, made } = await this.create(caller, request, prompt);
      void this.runner.run(job).finally(leave);
      return {
        isStream: job.isStreamed,
        whole: async () => made,
        stream: () => this.events.follow(job.id, -1, left),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** What has ended stays as it is. @throws ResponseNotCancellableError for what is not in the background */
  async cancel(response: ResponseObject): Promise<void> {
    const { id } = response;
    if (!(await this.repository.state(id))) throw new ResponseNotCancellableError(id);
    await this.repository.end(id, { ...response, status: 'cancelled' });
    this.running.stop(id, 'ended');
  }

  private async create(
    caller: Principal,
    { echo, previousId }: ResponseRequest,
    { chat, generation, input }: ResponsePrompt,
  ): Promise<{ job: BackgroundJob; made: ResponseObject }> {
    const stop = new AbortController();
    const formOf = (context: AnswerContext) => new ResponseForm(context, { answer: chat.answer, echo, save: null });
    const waiting = { ...generation, waits: true };
    const { form, events, model } = await this.generations.prepare(caller, waiting, formOf, stop.signal);
    const made = form.queued();
    const isStreamed = chat.answer.stream;
    await this.repository.create({ ...ownerOf(caller, model), response: made, previousId, input }, isStreamed);
    return { job: { id: made.id, form, events, isStreamed, stop }, made };
  }
}
