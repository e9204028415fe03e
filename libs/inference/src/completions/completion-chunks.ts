import type { SampledToken } from '@heddle/engine';
import { type ApiError, openAiError } from '@heddle/http';
import type { AnswerEvent, AnswerWriter } from '../answer/answer-form.js';
import { DONE, eventText } from '../answer/event-text.js';
import { usageOf } from '../answer/usage.js';
import { legacyLogprobs, type LegacyLogprobs, lengthOf, type ToldToken, toldPrompt } from './legacy-logprobs.js';
import { type CompletionPlan, endingOf, type ScoredPrompt } from './text-completion.js';

interface Streamed {
  /** Where the next token begins. */
  offset: number;
}

/** Turns a generation's events into those of a stream. Each says what is new; tokens come with the text that follows them. */
export class CompletionChunks implements AnswerWriter {
  private readonly choices: Streamed[] = [];
  private readonly prompts: ScoredPrompt[] = [];
  private sampled = 0;

  constructor(private readonly plan: CompletionPlan) {}

  after(event: AnswerEvent): string {
    if (event.type === 'prompt') {
      this.prompts[this.promptOf(event.choice ?? 0)] = { ids: event.tokenIds, scores: event.scores ?? [] };
      return '';
    }
    const opening = this.choices[event.choice] ? '' : this.open(event.choice);
    if (event.type === 'finished') {
      return opening + this.chunk(event.choice, '', [], endingOf(event, this.plan.options));
    }
    const { logprobs, tokenIds, samples } = this.plan.options;
    if (!samples) return opening;
    this.sampled += event.tokens.length;
    if (event.text === '' && !logprobs && !tokenIds) return opening;
    return opening + this.chunk(event.choice, event.text, event.tokens);
  }

  end(): string {
    const prompt = this.prompts.reduce((sum, { ids }) => sum + ids.length, 0);
    if (!this.plan.options.includeUsage) return DONE;
    return eventText({ ...this.plan.head, choices: [], usage: usageOf(prompt, this.sampled) }) + DONE;
  }

  failure(error: ApiError): string {
    return eventText(openAiError(error));
  }

  /** What a choice begins with, where that is asked for: the prompt's text, its tokens, how probable they are. */
  private open(choice: number): string {
    this.choices[choice] = { offset: 0 };
    const { options, echoOf } = this.plan;
    const prompt = this.promptOf(choice);
    const { ids, scores } = this.prompts[prompt]!;
    if (!options.echo && !options.tokenIds) return '';
    const text = options.echo ? echoOf(prompt, ids) : '';
    const told = options.echo ? toldPrompt(ids, scores, options.alternatives) : [];
    const logprobs = this.logprobs(choice, told);
    return this.chunk(choice, text, [], { logprobs, ...(options.tokenIds ? { prompt_token_ids: ids } : {}) });
  }

  private promptOf(choice: number): number {
    return Math.floor(choice / this.plan.options.n);
  }

  private chunk(index: number, text: string, tokens: readonly SampledToken[], more: object = {}): string {
    const { options, head } = this.plan;
    const choice = {
      index,
      text,
      logprobs: this.logprobs(index, tokens),
      finish_reason: null,
      ...more,
      ...(options.tokenIds && tokens.length > 0 ? { token_ids: tokens.map(({ id }) => id) } : {}),
    };
    return eventText({ ...head, choices: [choice], ...(options.includeUsage ? { usage: null } : {}) });
  }
  private logprobs(index: number, tokens: readonly ToldToken[]): LegacyLogprobs | null {
    const { options, texts } = this.plan;
    if (!options.logprobs || tokens.length === 0) return null;
    const streamed = this.choices[index]!;
    const place = { offset: streamed.offset, asIds: options.tokensAsIds };
    streamed.offset += lengthOf(tokens, texts);
    return legacyLogprobs(tokens, texts, place);
  }
}
