import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { Answer } from './answer/answer.js';
import type { ChatCompletion } from './answer/chat-completion.js';
import { ChatForm } from './answer/chat.form.js';
import { readChatRequest } from './request/chat-request.js';
import { chatGeneration } from './serving/chat-generation.js';
import { GenerationsService } from './serving/generations.service.js';

/** Chat completions, from a request's body to the events of an answer. */
@Injectable()
export class ChatCompletionsService {
  constructor(private readonly generations: GenerationsService) {}

  /** @throws as {@link GenerationsService.start} */
  start(caller: Principal, body: Buffer, left: AbortSignal): Promise<Answer<ChatCompletion>> {
    const request = readChatRequest(body);
    return this.generations.start(
      caller,
      chatGeneration(request, 'messages'),
      (context) => new ChatForm(context, request),
      left,
    );
  }
}
