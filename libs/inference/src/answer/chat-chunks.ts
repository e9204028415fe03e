import { type ApiError, openAiError } from '@heddle/http';
import { type SampledToken, toolCallReader, type ToolCallReader, type ToolCallForm } from '@heddle/engine';
import type { AnswerEvent, AnswerWriter } from './answer-form.js';
import type { AnswerOptions } from '../request/chat-request.js';
import type { TokenTexts } from '../serving/token-texts.service.js';
import { answeredToolCall, type AnsweredToolCall, finishReason } from './chat-completion.js';
import type { ChatIdentity } from './chat-identity.js';
import { DONE, eventText } from './event-text.js';
import { choiceLogprobs } from './token-logprobs.js';
import { usageOf } from './usage.js';

interface Delta {
  role?: 'assistant';
  content?: string | null;
  tool_calls?: (AnsweredToolCall & { index: number })[];
  function_call?: AnsweredToolCall['function'];
}

interface Streamed {
  parser: ToolCallReader | null;
  /** Of the parser's calls, those that were passed on. */
  calls: number;
}

/**
 * Turns a generation's events into the events of a stream, as text. Each says what is new; tokens come with the chunk that
 * follows them, also where their text is still held back, since it may be the beginning of a tool call.
 */
export class ChatChunks implements AnswerWriter {
  private readonly choices: Streamed[] = [];
  private readonly head: Record<string, unknown>;
  private promptTokenIds: number[] | null = null;
  private promptTokens = 0;
  private toolCalls: ToolCallForm = 'tagged';
  private sampled = 0;

  constructor(
    { id, created, model, system_fingerprint }: ChatIdentity,
    private readonly options: AnswerOptions,
    private readonly texts: TokenTexts,
  ) {
    this.head = { id, object: 'chat.completion.chunk', created, model, system_fingerprint };
  }

  /** What follows from an event; '' for nothing. */
  after(event: AnswerEvent): string {
    if (event.type === 'prompt') {
      this.promptTokens = event.tokenIds.length;
      this.toolCalls = event.toolCalls ?? 'tagged';
      if (this.options.tokenIds) this.promptTokenIds = event.tokenIds;
      return '';
    }
    if (event.type === 'tokens') return this.tokens(event);
    return this.finished(event);
  }

  /** After the last event. */
  end(): string {
    if (!this.options.includeUsage) return DONE;
    return eventText({ ...this.head, choices: [], usage: usageOf(this.promptTokens, this.sampled) }) + DONE;
  }

  failure(error: ApiError): string {
    return eventText(openAiError(error));
  }

  private tokens({ choice, tokens, text }: Extract<AnswerEvent, { type: 'tokens' }>): string {
    this.sampled += tokens.length;
    const opening = this.choices[choice] ? '' : this.open(choice);
    const { parser } = this.choices[choice]!;
    const delta: Delta = { ...contentDelta(parser ? parser.push(text) : text), ...this.newCalls(choice) };
    const { logprobs, tokenIds } = this.options;
    if (Object.keys(delta).length === 0 && !logprobs && !tokenIds) return opening;
    return opening + this.chunk(choice, delta, tokens);
  }

  private open(choice: number): string {
    const parser = this.options.readsToolCalls ? toolCallReader(this.toolCalls) : null;
    this.choices[choice] = { parser, calls: 0 };
    // Where there may be calls and nothing else, there must not be an empty text.
    return this.chunk(choice, { role: 'assistant', content: this.options.echoed || (parser ? null : '') }, []);
  }

  private finished({ choice, reason, stop }: Extract<AnswerEvent, { type: 'finished' }>): string {
    const opening = this.choices[choice] ? '' : this.open(choice);
    const { parser } = this.choices[choice]!;
    const rest: Delta = { ...contentDelta(parser?.finish() ?? ''), ...this.newCalls(choice) };
    const last = Object.keys(rest).length > 0 ? this.chunk(choice, rest, []) : '';
    return (
      opening +
      last +
      this.chunk(choice, {}, [], {
        finish_reason: finishReason(reason, this.options.legacyCalls),
        stop_reason: stop,
      })
    );
  }

  private newCalls(choice: number): Delta {
    const streamed = this.choices[choice]!;
    const known = streamed.parser?.toolCalls.slice(0, this.options.parallelToolCalls ? undefined : 1) ?? [];
    const calls = known
      .slice(streamed.calls)
      .map((call, i) => ({ index: streamed.calls + i, ...answeredToolCall(call) }));
    streamed.calls += calls.length;
    if (calls.length === 0) return {};
    return this.options.legacyCalls ? { function_call: calls[0]!.function } : { tool_calls: calls };
  }

  private chunk(index: number, delta: Delta, tokens: readonly SampledToken[], ending: object = {}): string {
    const { logprobs, tokensAsIds, tokenIds, includeUsage } = this.options;
    const choice = {
      index,
      delta,
      logprobs: logprobs && tokens.length > 0 ? choiceLogprobs(tokens, this.texts, tokensAsIds) : null,
      finish_reason: null,
      ...ending,
      ...(tokenIds && tokens.length > 0 ? { token_ids: tokens.map(({ id }) => id) } : {}),
    };
    const prompt = this.promptTokenIds ? { prompt_token_ids: this.promptTokenIds } : {};
    this.promptTokenIds = null;
    return eventText({ ...this.head, choices: [choice], ...(includeUsage ? { usage: null } : {}), ...prompt });
  }
}

const contentDelta = (content: string): Delta => (content === '' ? {} : { content });
