import type { GenerateEvent } from '@heddle/engine';
import { ApiError, openAiError } from '@heddle/http';
import type { ChatRequest } from '../request/chat-request.js';
import type { TokenTexts } from '../serving/token-texts.service.js';
import { ChatChunks, eventText } from './chat-chunks.js';
import { type ChatCompletion, ChatCompletionBuilder } from './chat-completion.js';
import type { ChatIdentity } from './chat-identity.js';

/** A chat completion under way: to be read once, to its end or until the client leaves. */
export class Chat {
  constructor(
    private readonly identity: ChatIdentity,
    private readonly request: ChatRequest,
    private readonly texts: TokenTexts,
    private readonly events: AsyncGenerator<GenerateEvent>,
  ) {}

  get isStream(): boolean {
    return this.request.answer.stream;
  }

  /** The whole answer. */
  async completion(): Promise<ChatCompletion> {
    const builder = new ChatCompletionBuilder(this.identity, this.request.answer, this.texts);
    for await (const event of this.events) builder.add(event);
    return builder.completion();
  }

  /** The answer as events of a stream. What fails is its last event: the status has long been sent. */
  async *stream(): AsyncGenerator<string> {
    const chunks = new ChatChunks(this.identity, this.request.answer, this.texts);
    try {
      for await (const event of this.events) yield chunks.after(event);
      yield chunks.end();
    } catch (error) {
      yield eventText(openAiError(shown(error)));
    }
  }
}

const shown = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(500, 'internal_error', 'Internal server error');
