import type { AnswerOptions, ChatRequest } from '../request/chat-request.js';
import type { AnswerContext, AnswerForm } from './answer-form.js';
import { ChatChunks } from './chat-chunks.js';
import { type ChatCompletion, ChatCompletionBuilder } from './chat-completion.js';
import { type ChatIdentity, chatIdentity } from './chat-identity.js';

/** The answer to a chat. */
export class ChatForm implements AnswerForm<ChatCompletion> {
  readonly operation = 'openai.chat.completions.create';
  private readonly identity: ChatIdentity;

  constructor(
    private readonly context: AnswerContext,
    private readonly request: ChatRequest,
  ) {
    this.identity = chatIdentity(context.name, context.model);
  }

  builder(): ChatCompletionBuilder {
    return this.building(this.request.answer);
  }

  traced(): ChatCompletionBuilder {
    return this.building({ ...this.request.answer, logprobs: false, promptLogprobs: null });
  }

  writer(): ChatChunks {
    return new ChatChunks(this.identity, this.request.answer, this.context.texts);
  }

  private building(options: AnswerOptions): ChatCompletionBuilder {
    return new ChatCompletionBuilder(this.identity, options, this.context.texts);
  }
}
