import { type SampledToken, toolCallReader, type TokenLogprob, type ToolCallReader } from '@heddle/engine';
import type { AnswerEvent } from '../answer/answer-form.js';
import { toolCallId, uniqueHex } from '../answer/chat-identity.js';
import { choiceLogprobs, finite } from '../answer/token-logprobs.js';
import type { AnswerOptions } from '../request/chat-request.js';
import type { TokenTexts } from '../serving/token-texts.service.js';
import type { FunctionCall, OutputItem, OutputMessage, OutputText, TokenGeneration } from './response-object.js';

/** An event of a response's stream, but for its number. */
export type ResponseEvent = { type: `response.${string}` } & Record<string, unknown>;

type Tokens = Extract<AnswerEvent, { type: 'tokens' }>;

/** A response's items as they come to be: the same for a stream and for what is answered at once. */
export class ResponseOutput {
  readonly items: OutputItem[] = [];
  promptTokens: readonly number[] = [];
  readonly sampled: SampledToken[] = [];
  /** Whether it ended for want of tokens. */
  isCut = false;
  private parser: ToolCallReader | null = null;
  private message: { item: OutputMessage; index: number } | null = null;
  /** White space before calls is nothing that was said. */
  private blank = '';
  private calls = 0;

  constructor(
    private readonly options: Pick<AnswerOptions, 'logprobs' | 'readsToolCalls' | 'parallelToolCalls'>,
    private readonly texts: TokenTexts,
  ) {}

  /** What follows from an event. */
  push(event: AnswerEvent): ResponseEvent[] {
    if (event.type === 'prompt') {
      this.promptTokens = event.tokenIds;
      if (this.options.readsToolCalls) this.parser = toolCallReader(event.toolCalls ?? 'tagged');
      return [];
    }
    if (event.type === 'tokens') return this.tokens(event);
    this.isCut = event.reason === 'length';
    const rest = this.parser?.finish() ?? '';
    const events = [...this.text(rest, []), ...this.newCalls()];
    // An answer has an item, also where nothing was said.
    if (this.items.length === 0) events.push(...this.open());
    return [...events, ...this.close()];
  }

  /** All of it was sampled at one time. */
  get generation(): TokenGeneration {
    return {
      prompt_token_ids: [...this.promptTokens],
      output_tokens: this.sampled.map(({ id, logprob }) => ({ token_id: id, logprob: finite(logprob) })),
      output_indices: this.items.map((_, index) => index),
    };
  }

  private tokens({ tokens, text }: Tokens): ResponseEvent[] {
    this.sampled.push(...tokens);
    const logprobs = this.options.logprobs ? choiceLogprobs(tokens, this.texts, false).content : [];
    const content = this.parser ? this.parser.push(text) : text;
    return [...this.text(content, logprobs), ...this.newCalls()];
  }

  private text(delta: string, logprobs: TokenLogprob[]): ResponseEvent[] {
    const text = this.blank + delta;
    this.blank = '';
    if (text === '') return [];
    if (this.parser && !this.message && text.trim() === '') {
      this.blank = text;
      return [];
    }
    const opening = this.message ? [] : this.open();
    const { item, index } = this.message!;
    const part = item.content[0]!;
    part.text += text;
    part.logprobs.push(...logprobs);
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    return [...opening, { type: 'response.output_text.delta', ...place, delta: text, logprobs }];
  }

  private open(): ResponseEvent[] {
    const item: OutputMessage = {
      id: `msg_${uniqueHex()}`,
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    };
    const index = this.items.push(item) - 1;
    const added = { type: 'response.output_item.added' as const, output_index: index, item: { ...item, content: [] } };
    const part: OutputText = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    item.content.push(part);
    this.message = { item, index };
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    return [added, { type: 'response.content_part.added', ...place, part: { ...part, logprobs: [] } }];
  }

  private close(): ResponseEvent[] {
    if (!this.message) return [];
    const { item, index } = this.message;
    const part = item.content[0]!;
    this.message = null;
    item.status = this.isCut ? 'incomplete' : 'completed';
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    return [
      { type: 'response.output_text.done', ...place, text: part.text, logprobs: part.logprobs },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: index, item },
    ];
  }

  private newCalls(): ResponseEvent[] {
    const known = this.parser?.toolCalls.slice(0, this.options.parallelToolCalls ? undefined : 1) ?? [];
    const fresh = known.slice(this.calls);
    this.calls += fresh.length;
    return fresh.flatMap((call) => [...this.close(), ...this.call(call)]);
  }

  private call({ name, arguments: text }: { name: string; arguments: string }): ResponseEvent[] {
    const id = `fc_${uniqueHex()}`;
    const item: FunctionCall = {
      id,
      type: 'function_call',
      status: 'completed',
      call_id: toolCallId(),
      name,
      arguments: text,
    };
    const place = { item_id: id, output_index: this.items.push(item) - 1 };
    const { output_index } = place;
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', arguments: '' } },
      { type: 'response.function_call_arguments.delta', ...place, delta: text },
      { type: 'response.function_call_arguments.done', ...place, name, arguments: text },
      { type: 'response.output_item.done', output_index, item },
    ];
  }
}
