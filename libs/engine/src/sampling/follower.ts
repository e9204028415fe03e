import type { ToolCallForm } from '../protocol/chat.js';
import type { GenerateEvent, SampledToken } from '../protocol/generate.js';
import { Detokenizer } from '../text/detokenizer.js';
import type { Tokenizer } from '../text/tokenizer.js';
import { callTokens, parseToolCalls } from '../text/calls/tool-calls.js';
import { Completion, type TokensEvent } from './completion.js';
import type { ResolvedOptions } from './sampling-options.js';

export interface FollowedChoice {
  choice: number;
  /** Whether all tokens come in one event, at the end. */
  whole?: boolean;
  /** How calls stand in the text; null where no tools were offered. */
  toolCalls: ToolCallForm | null;
}

/** Follows one completion's tokens, wherever they are sampled, and reports it as events. */
export class Follower {
  private readonly completion: Completion;
  private gathered: TokensEvent | null = null;
  private reported = false;

  constructor(
    { tokenizer, endTokenIds }: { tokenizer: Tokenizer; endTokenIds: readonly number[] },
    options: ResolvedOptions,
    private readonly how: FollowedChoice,
    private readonly emit: (event: GenerateEvent) => void,
  ) {
    const skipSpecial = options.skipSpecialTokens !== false;
    const detokenizer = new Detokenizer(tokenizer, { skipSpecial, keep: callTokens(how.toolCalls) });
    this.completion = new Completion(how.choice, options, endTokenIds, detokenizer);
  }

  /** All text so far. */
  get text(): string {
    return this.completion.text;
  }

  /** Whether the completion has ended: nothing that comes behind belongs to it. */
  get hasEnded(): boolean {
    return this.completion.ending !== null;
  }

  token(token: SampledToken): void {
    const event = this.completion.push([token]);
    if (event) this.report(event);
    if (this.hasEnded) this.end();
  }

  /** Reports the end, once, where there is one. */
  end(): void {
    const { ending, text } = this.completion;
    if (this.reported || !ending) return;
    this.reported = true;
    if (this.gathered) this.emit(this.gathered);
    const { choice, toolCalls: form } = this.how;
    const { content, toolCalls } = form ? parseToolCalls(text, form) : { content: text, toolCalls: [] };
    const reason = toolCalls.length > 0 && ending.reason === 'stop' ? 'tool_calls' : ending.reason;
    this.emit({ type: 'finished', choice, reason, stop: ending.stop, toolCalls: [...toolCalls], content });
  }

  private report(event: TokensEvent): void {
    if (!this.how.whole) return this.emit(event);
    if (!this.gathered) this.gathered = event;
    else {
      this.gathered.tokens.push(...event.tokens);
      this.gathered.text += event.text;
    }
  }
}
