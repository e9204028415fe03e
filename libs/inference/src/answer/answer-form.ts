import type { GenerateEvent } from '@heddle/engine';
import type { ApiError } from '@heddle/http';
import type { ServedModel } from '../serving/served-models.service.js';
import type { ModelTexts } from '../serving/token-texts.service.js';

/** A generation's event. Of several prompts, `choice` of a prompt's event is the first choice that continues it. */
export type AnswerEvent =
  Exclude<GenerateEvent, { type: 'prompt' }> | (Extract<GenerateEvent, { type: 'prompt' }> & { choice?: number });

/** What is known of a request's answer before its first event. */
export interface AnswerContext {
  /** As it was asked for. */
  name: string;
  model: ServedModel;
  texts: ModelTexts;
}

/** What traces read of an answer. */
export interface TracedAnswer {
  model: string;
  usage: object;
}

/** Gathers events into the answer that is not a stream. */
export interface AnswerBuilder<A> {
  add(event: AnswerEvent): void;
  /** After the last event. */
  answer(): A;
}

/** Turns events into those of a stream, as text; '' for nothing. */
export interface AnswerWriter {
  after(event: AnswerEvent): string;
  /** After the last event. */
  end(): string;
  /** In the place of what would have come. */
  failure(error: ApiError): string;
}

/** One request's answer as its API has it: chat, completion or response. */
export interface AnswerForm<A extends TracedAnswer = TracedAnswer> {
  /** What a client that traces for itself calls it. */
  readonly operation: string;
  builder(): AnswerBuilder<A>;
  /** Without what only training reads. */
  traced(): AnswerBuilder<A>;
  writer(): AnswerWriter;
  /** What has to have happened before anybody hears that the answer is whole. */
  settle?(): Promise<void>;
}
