import type { ApiError } from '@heddle/http';
import type { AnswerBuilder, AnswerContext, AnswerForm } from '../answer/answer-form.js';
import { uniqueHex } from '../answer/chat-identity.js';
import type { AnswerOptions } from '../request/chat-request.js';
import { type ResponseEcho, type ResponseObject, responseUsage, type ResponseUsage } from './response-object.js';
import { ResponseEventWriter } from './response-event-writer.js';
import { ResponseOutput } from './response-output.js';

export interface ResponsePlan {
  answer: AnswerOptions;
  echo: ResponseEcho;
  /** Stores it; null where it is not to be stored. */
  save: ((response: ResponseObject) => Promise<void>) | null;
}

export type WholeResponse = ResponseObject & { usage: ResponseUsage };

const now = (): number => Math.floor(Date.now() / 1000);

/** The answer of `/v1/responses`. */
export class ResponseForm implements AnswerForm<WholeResponse> {
  readonly operation = 'openai.responses.create';
  private readonly id = `resp_${uniqueHex()}`;
  private readonly createdAt = now();
  private readonly output: ResponseOutput;
  private made: WholeResponse | null = null;

  constructor(
    private readonly context: AnswerContext,
    private readonly plan: ResponsePlan,
  ) {
    this.output = new ResponseOutput(plan.answer, context.texts);
  }

  builder(): AnswerBuilder<WholeResponse> {
    return { add: (event) => void this.output.push(event), answer: () => this.whole() };
  }

  /** Beside the answer itself, whose items it must not take. */
  traced(): AnswerBuilder<WholeResponse> {
    const output = new ResponseOutput({ ...this.plan.answer, logprobs: false }, this.context.texts);
    return { add: (event) => void output.push(event), answer: () => this.ended(output) };
  }

  writer(): ResponseEventWriter {
    return new ResponseEventWriter(this.output, this);
  }

  async settle(): Promise<void> {
    await this.plan.save?.(this.whole());
  }

  /** In the background: before its turn has come. */
  queued(): ResponseObject {
    return this.response('queued');
  }

  begun(): ResponseObject {
    return this.response('in_progress');
  }

  failed({ status, message }: Pick<ApiError, 'status' | 'message'>): ResponseObject {
    const code = status === 429 ? 'rate_limit_exceeded' : status < 500 ? 'invalid_prompt' : 'server_error';
    return { ...this.response('failed'), error: { code, message } };
  }

  whole(): WholeResponse {
    const { output, plan } = this;
    return (this.made ??= {
      ...this.ended(output),
      ...(plan.answer.tokenIds ? { token_generations: [output.generation] } : {}),
    });
  }

  private ended({ items, isCut, promptTokens, sampled }: ResponseOutput): WholeResponse {
    return {
      ...this.response(isCut ? 'incomplete' : 'completed'),
      completed_at: isCut ? null : now(),
      incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
      output: items,
      usage: responseUsage(promptTokens.length, sampled.length),
    };
  }

  private response(status: ResponseObject['status']): ResponseObject {
    const { temperature = 1, topP = 1 } = this.context.model.base.sampling;
    return {
      id: this.id,
      object: 'response',
      created_at: this.createdAt,
      completed_at: null,
      status,
      error: null,
      incomplete_details: null,
      model: this.context.name,
      output: [],
      usage: null,
      ...this.plan.echo,
      temperature: this.plan.echo['temperature'] ?? temperature,
      top_p: this.plan.echo['top_p'] ?? topP,
    };
  }
}
