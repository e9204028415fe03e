import { Body, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { jsonAnswer, jsonObjects } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { wrongKind } from '../request/wrong-kind.js';
import {
  CreateFeedback,
  CreateFeedbackBatch,
  FeedbackBatchCreated,
  FeedbackCreated,
  FeedbackFound,
  FeedbackProject,
  Nothing,
  PurgeFeedbackBody,
  QueryFeedback,
  QueryFeedbackBody,
  Replaced,
  ReplaceFeedback,
} from './feedback.schema.js';
import { FeedbackService } from './feedback.service.js';

const readQueryFeedback = fieldReader(QueryFeedback);
const readProject = fieldReader(FeedbackProject);
const readReplaced = fieldReader(Replaced);

const project_id = 'acme/support';
const weave_ref = 'weave:///acme/support/call/0190b7f1-6c2d-7bb0-9f57-0d1c2f6f1f10';
const reaction = { project_id, weave_ref, feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } };
const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: weave_ref }] } };

@TracingController('feedback')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  @TracePost('create', {
    summary: 'Say something about a call or an object',
    body: CreateFeedback,
    example: reaction,
    answer: FeedbackCreated,
  })
  async create(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return jsonAnswer(await this.feedback.create(caller, body));
  }

  @TracePost('batch/create', {
    summary: 'Say many things; one that is not valid refuses the batch',
    body: CreateFeedbackBatch,
    example: { batch: [reaction] },
    answer: FeedbackBatchCreated,
  })
  async createBatch(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const batch = body.get('batch');
    if (batch?.kind !== 'array') throw wrongKind(['body', 'batch'], 'list', batch);
    return jsonAnswer([['res', jsonObjects(await this.feedback.createBatch(caller, batch))]]);
  }

  @TracePost('query', {
    summary: 'Find feedback',
    body: QueryFeedbackBody,
    example: { project_id, query, sort_by: [{ field: 'created_at', direction: 'asc' }] },
    answer: FeedbackFound,
  })
  async query(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const { result, total } = await this.feedback.query(caller, readQueryFeedback(body), body);
    return jsonAnswer([
      ['result', jsonObjects(result)],
      ['total_count', total],
    ]);
  }

  @TracePost('purge', {
    summary: 'Delete feedback for good, by its ids',
    body: PurgeFeedbackBody,
    example: { project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: '0190b7f1' }] } } },
    answer: Nothing,
  })
  async purge(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    await this.feedback.purge(caller, readProject(body).project_id, body);
    return {};
  }

  @TracePost('replace', {
    summary: 'Put new feedback in the place of old',
    body: ReplaceFeedback,
    example: { feedback_id: '0190b7f1', ...reaction },
    answer: FeedbackCreated,
  })
  async replace(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return jsonAnswer(await this.feedback.replace(caller, readReplaced(body).feedback_id, body));
  }
}
