import type { FinishReason, GenerateEvent, PromptToken, SampledToken } from '@heddle/engine';
import type { AnswerBuilder, AnswerEvent } from './answer-form.js';
import type { AnswerOptions } from '../request/chat-request.js';
import type { TokenTexts } from '../serving/token-texts.service.js';
import { type ChatIdentity, toolCallId } from './chat-identity.js';
import { choiceLogprobs, type ChoiceLogprobs, promptLogprobs, type PromptLogprobs } from './token-logprobs.js';
import { type Usage, usageOf } from './usage.js';

export interface AnsweredToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ChatChoice {
  index: number;
  message: {
    role: 'assistant';
    content: string | null;
    refusal: null;
    tool_calls?: AnsweredToolCall[];
    function_call?: AnsweredToolCall['function'];
  };
  logprobs: ChoiceLogprobs | null;
  finish_reason: FinishReason | 'function_call';
  /** The stop string or token that ended it, as vLLM has it. */
  stop_reason: string | number | null;
  token_ids?: number[];
}

export interface ChatCompletion extends ChatIdentity {
  object: 'chat.completion';
  choices: ChatChoice[];
  usage: Usage;
  prompt_token_ids?: number[];
  prompt_logprobs?: PromptLogprobs;
}

type Finished = Extract<GenerateEvent, { type: 'finished' }>;

interface Gathered {
  tokens: SampledToken[];
  finished: Finished | null;
}

/** Gathers a generation's events into the answer that is not a stream. */
export class ChatCompletionBuilder implements AnswerBuilder<ChatCompletion> {
  private promptTokenIds: number[] = [];
  private scores: readonly PromptToken[] = [];
  private readonly choices: Gathered[] = [];

  constructor(
    private readonly identity: ChatIdentity,
    private readonly options: AnswerOptions,
    private readonly texts: TokenTexts,
  ) {}

  add(event: AnswerEvent): void {
    if (event.type === 'prompt') {
      this.promptTokenIds = event.tokenIds;
      this.scores = event.scores ?? [];
    } else if (event.type === 'tokens') this.at(event.choice).tokens.push(...event.tokens);
    else this.at(event.choice).finished = event;
  }

  /** After the last event. */
  answer(): ChatCompletion {
    const { id, created, model, system_fingerprint } = this.identity;
    const { tokenIds, promptLogprobs: alternatives } = this.options;
    const sampled = this.choices.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return {
      id,
      object: 'chat.completion',
      created,
      model,
      system_fingerprint,
      choices: this.choices.map((gathered, index) => this.choice(gathered, index)),
      usage: usageOf(this.promptTokenIds.length, sampled),
      ...(tokenIds ? { prompt_token_ids: this.promptTokenIds } : {}),
      ...(alternatives === null ? {} : { prompt_logprobs: promptLogprobs(this.scores, this.texts, alternatives) }),
    };
  }

  private at(choice: number): Gathered {
    return (this.choices[choice] ??= { tokens: [], finished: null });
  }

  private choice({ tokens, finished }: Gathered, index: number): ChatChoice {
    const { reason, stop, content, toolCalls } = finished!;
    const { logprobs, tokenIds, tokensAsIds, parallelToolCalls, legacyCalls, echoed } = this.options;
    const calls = (parallelToolCalls ? toolCalls : toolCalls.slice(0, 1)).map(answeredToolCall);
    return {
      index,
      message: {
        role: 'assistant',
        content: echoed === '' ? content : echoed + (content ?? ''),
        refusal: null,
        ...(calls.length > 0 ? (legacyCalls ? { function_call: calls[0]!.function } : { tool_calls: calls }) : {}),
      },
      logprobs: logprobs ? choiceLogprobs(tokens, this.texts, tokensAsIds) : null,
      finish_reason: finishReason(reason, legacyCalls),
      stop_reason: stop,
      ...(tokenIds ? { token_ids: tokens.map(({ id }) => id) } : {}),
    };
  }
}

/** The older form has a word of its own. */
export const finishReason = (reason: FinishReason, legacy: boolean): FinishReason | 'function_call' =>
  legacy && reason === 'tool_calls' ? 'function_call' : reason;

export const answeredToolCall = (called: AnsweredToolCall['function']): AnsweredToolCall => ({
  id: toolCallId(),
  type: 'function',
  function: { name: called.name, arguments: called.arguments },
});
