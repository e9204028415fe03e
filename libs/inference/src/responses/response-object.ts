import type { TokenLogprob } from '@heddle/engine';

export interface OutputText {
  type: 'output_text';
  text: string;
  annotations: never[];
  logprobs: TokenLogprob[];
}

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface OutputMessage {
  id: string;
  type: 'message';
  status: ItemStatus;
  role: 'assistant';
  content: OutputText[];
}

export interface FunctionCall {
  id: string;
  type: 'function_call';
  status: ItemStatus;
  call_id: string;
  name: string;
  arguments: string;
}

export type OutputItem = OutputMessage | FunctionCall;

/** In tokens. */
export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** What the model was given and sampled, in the form in which ART trains on responses. */
export interface TokenGeneration {
  prompt_token_ids: number[];
  output_tokens: { token_id: number; logprob: number }[];
  /** Which items of the output the tokens are. */
  output_indices: number[];
}

/** What a response says of its request. */
export type ResponseEcho = Readonly<Record<string, unknown>> & { previous_response_id: string | null; store: boolean };

export interface ResponseObject {
  id: string;
  object: 'response';
  created_at: number;
  completed_at: number | null;
  status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
  error: { code: string; message: string } | null;
  incomplete_details: { reason: 'max_output_tokens' } | null;
  model: string;
  output: OutputItem[];
  usage: ResponseUsage | null;
  /** With `return_token_ids`. */
  token_generations?: TokenGeneration[];
  [echo: string]: unknown;
}

export const responseUsage = (input: number, output: number): ResponseUsage => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: output,
  // Thoughts are part of the text, since base models mark them each in a way of its own.
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});
