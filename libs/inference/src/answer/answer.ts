import { ApiError, unavailableFor } from '@heddle/http';
import type { AnswerEvent, AnswerForm, TracedAnswer } from './answer-form.js';

/** An answer under way: to be read once, to its end or until the client leaves. */
export class Answer<A extends TracedAnswer = TracedAnswer> {
  constructor(
    readonly isStream: boolean,
    private readonly form: AnswerForm<A>,
    private readonly events: AsyncGenerator<AnswerEvent>,
  ) {}

  async whole(): Promise<A> {
    const builder = this.form.builder();
    for await (const event of this.events) builder.add(event);
    const answer = builder.answer();
    await this.form.settle?.();
    return answer;
  }

  /** As events of a stream. What fails is its last event: the status has long been sent. */
  async *stream(): AsyncGenerator<string> {
    const writer = this.form.writer();
    try {
      for await (const event of this.events) yield writer.after(event);
      await this.form.settle?.();
      yield writer.end();
    } catch (error) {
      yield writer.failure(shownError(error));
    }
  }
}

/** What a client is told of an error that no filter sees. */
export const shownError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : (unavailableFor(error) ?? new ApiError(500, 'internal_error', 'Internal server error'));
