import type { FinishReason, SampledToken } from '@heddle/engine';
import type { AnswerBuilder, AnswerEvent } from '../answer/answer-form.js';
import { type Usage, usageOf } from '../answer/usage.js';
import type { ModelTexts } from '../serving/token-texts.service.js';
import type { CompletionOptions } from './completion-request.js';
import { legacyLogprobs, type LegacyLogprobs } from './legacy-logprobs.js';

/** What all parts of an answer say of it. */
export interface CompletionHead {
  id: string;
  object: 'text_completion';
  /** Seconds since 1970. */
  created: number;
  model: string;
  system_fingerprint: string;
}

export interface CompletionChoice {
  index: number;
  text: string;
  logprobs: LegacyLogprobs | null;
  finish_reason: FinishReason;
  /** The stop string or token that ended it, as vLLM has it. */
  stop_reason: string | number | null;
  token_ids?: number[];
  prompt_token_ids?: number[];
}

export interface TextCompletion extends CompletionHead {
  choices: CompletionChoice[];
  usage: Usage;
}

/** What a completion needs to know beside its events. */
export interface CompletionPlan {
  head: CompletionHead;
  options: CompletionOptions;
  texts: ModelTexts;
  /** The text that comes first where it is asked for, of each prompt. */
  echoOf(prompt: number, tokenIds: readonly number[]): string;
}

interface Gathered {
  tokens: SampledToken[];
  text: string;
  finished: Extract<AnswerEvent, { type: 'finished' }> | null;
}

/** Gathers events into the answer that is not a stream. */
export class TextCompletionBuilder implements AnswerBuilder<TextCompletion> {
  private readonly prompts: (readonly number[])[] = [];
  private readonly choices: Gathered[] = [];

  constructor(private readonly plan: CompletionPlan) {}

  add(event: AnswerEvent): void {
    if (event.type === 'prompt') {
      this.prompts[(event.choice ?? 0) / this.plan.options.n] = event.tokenIds;
      return;
    }
    const gathered = (this.choices[event.choice] ??= { tokens: [], text: '', finished: null });
    if (event.type === 'finished') gathered.finished = event;
    else {
      gathered.tokens.push(...event.tokens);
      gathered.text += event.text;
    }
  }

  answer(): TextCompletion {
    const prompt = this.prompts.reduce((sum, { length }) => sum + length, 0);
    const sampled = this.choices.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const choices = this.choices.map((gathered, index) => this.choice(gathered, index));
    return { ...this.plan.head, choices, usage: usageOf(prompt, sampled) };
  }

  private choice({ tokens, text, finished }: Gathered, index: number): CompletionChoice {
    const { options, texts, echoOf } = this.plan;
    const prompt = Math.floor(index / options.n);
    const ids = this.prompts[prompt]!;
    const echo = options.echo ? echoOf(prompt, ids) : '';
    return {
      index,
      text: echo + text,
      logprobs: options.logprobs ? legacyLogprobs(tokens, texts, { offset: 0, asIds: options.tokensAsIds }) : null,
      finish_reason: finished!.reason,
      stop_reason: finished!.stop,
      ...(options.tokenIds ? { token_ids: tokens.map(({ id }) => id), prompt_token_ids: [...ids] } : {}),
    };
  }
}
