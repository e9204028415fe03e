import type { Prompt, SamplingOptions } from '@heddle/engine';

/** What the engine is asked for, whichever API asks: see {@link GenerationsService}. */
export interface GenerationRequest {
  /** As it was sent. */
  model: string;
  /** One, or as many as a completion has. */
  prompts: Prompt[];
  options: SamplingOptions;
  stream: boolean;
  /** Who asks for token ids trains on them. */
  tokenIds: boolean;
  /** Whether it waits for its turn where too many are in flight, instead of being refused; so nobody waits for its first token. */
  waits?: boolean;
  /** The field of the prompt, for errors. */
  promptField: string;
  /** The field of the output format, for errors; default `response_format`. */
  formatField?: string;
  /** Messages or texts, each of which takes a token at least. */
  parts: number;
  /** The whole body, for the trace. */
  sent: Readonly<Record<string, unknown>>;
  /** Of the body. */
  bytes: number;
  /** Of what the prompts are made of, where that is not all of the body. */
  promptBytes?: number;
}
