/** Messages, tools and choices as clients send them: unknown keys are kept and ignored. */

export interface ToolCall {
  id?: string;
  type?: 'function';
  function: { name: string; arguments: string };
}

/**
 * How a model writes a call: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` as Hermes and Qwen do, or, as Llama 3
 * does, `{"name": ..., "parameters": {...}}` and nothing else.
 */
export type ToolCallForm = 'tagged' | 'bare';

export interface ContentPart {
  type: string;
  text?: string;
}

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  content?: string | ContentPart[] | null;
  name?: string;
  tool_calls?: ToolCall[] | null;
  tool_call_id?: string;
  refusal?: string | null;
  /** The older form of a single call. */
  function_call?: ToolCall['function'] | null;
}

export interface Tool {
  type: 'function';
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean | null };
}

/** Variables for the chat template by their names, JSON values: `chat_template_kwargs` of a request. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

/**
 * What a prompt ends with: the beginning of the assistant's answer, nothing more than the messages, or the last message as far
 * as it goes, which the completion then goes on with.
 */
export type PromptEnding = 'answer' | 'messages' | 'last_message';

/** What a chat template gets beside the messages. */
export interface TemplateContext {
  tools?: Tool[] | null;
  templateVariables?: TemplateVariables | null;
}

export interface TokenLogprob {
  token: string;
  logprob: number | null;
  bytes?: number[] | null;
  top_logprobs?: { token: string; logprob: number; bytes?: number[] | null }[];
}

/** A sampled message with its tokens' log probabilities: what reinforcement learning trains on. */
export interface Choice {
  index: number;
  message: ChatMessage;
  finish_reason?: string | null;
  logprobs?: { content?: TokenLogprob[] | null; refusal?: TokenLogprob[] | null } | null;
  token_ids?: number[] | null;
  prompt_token_ids?: number[] | null;
}
