import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { Answer } from '../answer/answer.js';
import { GenerationsService } from '../serving/generations.service.js';
import { readCompletionRequest } from './completion-request.js';
import { CompletionForm } from './completion.form.js';
import type { TextCompletion } from './text-completion.js';

/** Completions of plain texts, from a request's body to the events of an answer. */
@Injectable()
export class CompletionsService {
  constructor(private readonly generations: GenerationsService) {}

  /** @throws as {@link GenerationsService.start} */
  start(caller: Principal, body: Buffer, left: AbortSignal): Promise<Answer<TextCompletion>> {
    const request = readCompletionRequest(body);
    const { answer, ...common } = request;
    const { stream, tokenIds } = answer;
    const generation = { ...common, stream, tokenIds, promptField: 'prompt', parts: request.prompts.length };
    return this.generations.start(caller, generation, (context) => new CompletionForm(context, request), left);
  }
}
