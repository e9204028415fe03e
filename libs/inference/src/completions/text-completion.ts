import type { FinishReason, PromptToken, SampledToken } from '@heddle/engine';
import type { AnswerBuilder, AnswerEvent } from '../answer/answer-form.js';
import { type Usage, usageOf } from '../answer/usage.js';
import type { ModelTexts } from '../serving/token-texts.service.js';
import type { CompletionOptions } from './completion-request.js';
import { promptLogprobs, type PromptLogprobs } from '../answer/token-logprobs.js';
import { legacyLogprobs, type LegacyLogprobs, toldPrompt } from './legacy-logprobs.js';

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
  prompt_logprobs?: PromptLogprobs;
}

/** A prompt's tokens, and what the model thinks of those after the first, where that is asked for. */
export interface ScoredPrompt {
  ids: readonly number[];
  scores: readonly PromptToken[];
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
  private readonly prompts: ScoredPrompt[] = [];
  private readonly choices: Gathered[] = [];

  constructor(private readonly plan: CompletionPlan) {}

  add(event: AnswerEvent): void {
    if (event.type === 'prompt') {
      const scored = { ids: event.tokenIds, scores: event.scores ?? [] };
      this.prompts[(event.choice ?? 0) / this.plan.options.n] = scored;
      return;
    }
    const gathered = (this.choices[event.choice] ??= { tokens: [], text: '', finished: null });
    if (event.type === 'finished') gathered.finished = event;
    else if (this.plan.options.samples) {
      gathered.tokens.push(...event.tokens);
      gathered.text += event.text;
    }
  }

  answer(): TextCompletion {
    const prompt = this.prompts.reduce((sum, { ids }) => sum + ids.length, 0);
    const sampled = this.choices.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const choices = this.choices.map((gathered, index) => this.choice(gathered, index));
    return { ...this.plan.head, choices, usage: usageOf(prompt, sampled) };
  }

  private choice({ tokens, text, finished }: Gathered, index: number): CompletionChoice {
    const { options, texts, echoOf } = this.plan;
    const prompt = Math.floor(index / options.n);
    const { ids, scores } = this.prompts[prompt]!;
    const echo = options.echo ? echoOf(prompt, ids) : '';
    const told = [...(options.echo ? toldPrompt(ids, scores, options.alternatives) : []), ...tokens];
    return {
      index,
      text: echo + text,
      logprobs: options.logprobs ? legacyLogprobs(told, texts, { offset: 0, asIds: options.tokensAsIds }) : null,
      ...endingOf(finished!, options),
      ...(options.tokenIds ? { token_ids: tokens.map(({ id }) => id), prompt_token_ids: [...ids] } : {}),
      ...(options.promptLogprobs === null
        ? {}
        : { prompt_logprobs: promptLogprobs(scores, texts, options.promptLogprobs) }),
    };
  }
}

/** Where nothing is to be sampled, the limit is what ends it. */
export const endingOf = (
  { reason, stop }: NonNullable<Gathered['finished']>,
  { samples }: CompletionOptions,
): Pick<CompletionChoice, 'finish_reason' | 'stop_reason'> =>
  samples ? { finish_reason: reason, stop_reason: stop } : { finish_reason: 'length', stop_reason: null };
