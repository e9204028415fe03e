import type { ApiError } from '@heddle/http';
import type { AnswerEvent, AnswerWriter } from '../answer/answer-form.js';
import type { ResponseObject } from './response-object.js';
import type { ResponseEvent, ResponseOutput } from './response-output.js';

/** The whole response, as it is at some moments of its stream. */
interface Stages {
  queued(): ResponseObject;
  begun(): ResponseObject;
  whole(): ResponseObject;
  failed(error: ApiError): ResponseObject;
}

/** The typed events of a response's stream, numbered from 0. */
export class ResponseEventWriter implements AnswerWriter {
  private isOpen = false;
  private isBegun = false;
  /** Of the events that were written. */
  count = 0;

  constructor(
    private readonly output: ResponseOutput,
    private readonly stages: Stages,
  ) {}

  /** What is known of a response that waits for its turn. */
  queued(): string {
    const response = this.stages.queued();
    return this.created(response) + this.written({ type: 'response.queued', response });
  }

  after(event: AnswerEvent): string {
    return (
      this.beginning() +
      this.output
        .push(event)
        .map((one) => this.written(one))
        .join('')
    );
  }

  end(): string {
    return this.written(lastEvent(this.stages.whole()));
  }

  failure(error: ApiError): string {
    return this.beginning() + this.written(lastEvent(this.stages.failed(error)));
  }

  private beginning(): string {
    if (this.isBegun) return '';
    this.isBegun = true;
    const response = this.stages.begun();
    return (this.isOpen ? '' : this.created(response)) + this.written({ type: 'response.in_progress', response });
  }

  private created(response: ResponseObject): string {
    this.isOpen = true;
    return this.written({ type: 'response.created', response });
  }

  private written(event: ResponseEvent): string {
    return responseEventText(event, this.count++);
  }
}

/** What a stream ends with. */
export const lastEvent = (response: ResponseObject): ResponseEvent => ({
  type: `response.${response.status}`,
  response,
});

/** @param number how many events there were before it */
export const responseEventText = ({ type, ...fields }: ResponseEvent, number: number): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...fields })}\n\n`;
