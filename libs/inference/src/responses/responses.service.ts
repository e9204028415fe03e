import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { AnswerContext } from '../answer/answer-form.js';
import type { Sendable } from '../answer/send-answer.js';
import { GenerationsService } from '../serving/generations.service.js';
import { BackgroundResponsesService } from './background/background-responses.service.js';
import { ResponseForm } from './response.form.js';
import type { ResponseObject } from './response-object.js';
import { ownerOf } from './response-owner.js';
import { ResponsePromptService } from './response-prompt.service.js';
import { readResponseRequest } from './response-request.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** Responses, from a request's body to the events of an answer that later requests can go on from. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly generations: GenerationsService,
    private readonly prompts: ResponsePromptService,
    private readonly stored: StoredResponsesRepository,
    private readonly background: BackgroundResponsesService,
  ) {}

  /** @throws as {@link ResponsePromptService.of} | {@link GenerationsService.start} */
  async start(caller: Principal, body: Buffer, left: AbortSignal): Promise<Sendable> {
    const request = readResponseRequest(body);
    const prompt = await this.prompts.of(caller, request, left);
    if (request.background) return this.background.start(caller, request, prompt, left);
    const { input, chat, generation } = prompt;
    const formOf = (context: AnswerContext): ResponseForm => {
      const save = (response: ResponseObject) =>
        this.stored.insert({ ...ownerOf(caller, context.model), response, previousId: request.previousId, input });
      return new ResponseForm(context, { answer: chat.answer, echo: request.echo, save: request.store ? save : null });
    };
    return this.generations.start(caller, generation, formOf, left);
  }
}
