export type EngineErrorCode =
  /** The request asks for something that can't be. */
  | 'invalid_request'
  /** Nothing that was sampled is valid against the schema that was asked for. */
  | 'invalid_answer'
  /** Prompt, or prompt and max_tokens, exceed the context. */
  | 'context_length_exceeded'
  /** A file of a base model or an adapter is missing, broken or of an unsupported kind. */
  | 'bad_model'
  /** Loss or weights stopped being finite, or diverged. */
  | 'diverged'
  /** A server on another machine can't be reached, is full, or lost what it was asked for; it may do better later. */
  | 'unavailable'
  /** A server on another machine refused, or answered what can't be. */
  | 'bad_answer'
  /** A compute thread died; the next request gets a new one. */
  | 'thread_died'
  | 'out_of_memory'
  | 'cancelled'
  | 'closed';

/** What an engine throws. The message is for the user: it names the place, and holds no path. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode,
    message: string,
    /** Name of the field at fault, as on the wire. */
    readonly param: string | null = null,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}
