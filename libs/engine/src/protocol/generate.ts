import type { ChatMessage, PromptEnding, TemplateContext, ToolCallForm } from './chat.js';
import type { SamplingSettings } from './sampling-options.schema.js';

/** Forces what a completion looks like. */
export type OutputFormat =
  | { type: 'json_object' }
  | { type: 'json_schema'; schema: Record<string, unknown> }
  /** One of these texts. */
  | { type: 'choice'; choices: string[] }
  /** A text that a regular expression (ECMAScript's, with the flag `u`) matches from its beginning to its end. */
  | { type: 'regex'; pattern: string }
  /** A text of a grammar in the notation of GBNF. */
  | { type: 'grammar'; grammar: string }
  /** A call of one of these tools; `name` pins which. */
  | { type: 'tool_call'; name?: string }
  /** Any text. Where it calls a tool that is `strict`, the arguments are those of the tool's schema. */
  | { type: 'tool_calls' }
  /** A call of any of these tools, or an answer in a format. */
  | { type: 'tool_call_or'; format: AnswerFormat };

/** What a completion that calls nothing may be held to beside tools. */
export type AnswerFormat = Extract<OutputFormat, { type: 'json_object' | 'json_schema' | 'choice' | 'regex' }>;

export type SamplingOptions = SamplingSettings & { format?: OutputFormat };

/** What a base model's generation_config.json puts in the place of options that a request leaves out. */
export type SamplingDefaults = Pick<
  SamplingOptions,
  'temperature' | 'topP' | 'topK' | 'minP' | 'repetitionPenalty' | 'maxTokens'
>;

export type Prompt =
  /** `ending` is by default the beginning of an answer. */
  | ({ messages: ChatMessage[]; ending?: PromptEnding } & TemplateContext)
  /** `addSpecialTokens`: those with which the tokenizer begins (and ends) texts; default true. */
  | { text: string; addSpecialTokens?: boolean }
  | { tokenIds: number[] };

export interface GenerateRequest {
  base: string;
  /** Directory of a PEFT adapter; null samples the base model. What it holds must never change. */
  adapter: string | null;
  prompt: Prompt;
  options: SamplingOptions;
  /**
   * Whether the completion is to be trained on: what the options leave out is then the model's own distribution, not what
   * the base's generation_config.json prefers, since training takes the tokens for samples of that distribution.
   */
  forTraining?: boolean;
  /** Whether all tokens of a completion come in one event, at its end; default: each as soon as it is there. */
  whole?: boolean;
}

/**
 * A sampled token. Log probabilities are natural logarithms under the unmodified distribution at temperature 1, before
 * penalties, biases and masks.
 */
export interface SampledToken {
  id: number;
  logprob: number;
  /** The most probable tokens, best first. */
  top: { id: number; logprob: number }[];
}

/** A token of a prompt, in the same way. */
export interface PromptToken extends SampledToken {
  /** 1 for the most probable token. */
  rank: number;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls';

export type GenerateEvent =
  | {
      type: 'prompt';
      tokenIds: number[];
      /** Of the tokens after the first, where `promptLogprobs` asks for them. */
      scores?: readonly PromptToken[];
      /** How calls stand in the text; default tagged. */
      toolCalls?: ToolCallForm;
    }
  | {
      type: 'tokens';
      /** Which of the `n` completions. */
      choice: number;
      /** The end token is among them when it ended the completion. */
      tokens: SampledToken[];
      /** What the text grew by: whole characters only, nothing that may turn out to be a stop string, no special tokens. */
      text: string;
    }
  | {
      type: 'finished';
      choice: number;
      reason: FinishReason;
      /** The stop string or token id that ended it, where it was not the end token. */
      stop: string | number | null;
      /** Where tools were offered: what was called, and the text beside the calls. */
      toolCalls: { name: string; arguments: string }[];
      content: string | null;
    };
