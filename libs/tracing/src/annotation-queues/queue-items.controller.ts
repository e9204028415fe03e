import { applyDecorators, Body, Param } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import {
  AddCalls,
  CallsAdded,
  ItemsFound,
  ProgressUpdated,
  QueryItems,
  QueueStats,
  QueueStatsFound,
  UpdateProgress,
} from './annotation-queues.schema.js';
import { QueueItemsService } from './queue-items.service.js';

const readCalls = fieldReader(AddCalls);
const readQuery = fieldReader(QueryItems);
const readStats = fieldReader(QueueStats);
const readProgress = fieldReader(UpdateProgress);

const project_id = 'acme/support';
const id = '0190b7f1-5c5e-7000-8000-000000000000';

const ProgressPost = (): MethodDecorator =>
  applyDecorators(
    TracePost(':queue_id/items/:item_id/progress', {
      summary: 'Say how far you are with an item',
      body: UpdateProgress,
      example: { project_id, annotation_state: 'completed' },
      answer: ProgressUpdated,
    }),
    ApiConflictResponse({ description: 'You are done with it, or began before: only what is in progress can change.' }),
  );

@TracingController('annotation_queues')
export class QueueItemsController {
  constructor(private readonly items: QueueItemsService) {}

  @TracePost('stats', {
    summary: 'How many items queues have, and how many of them somebody completed or skipped',
    body: QueueStats,
    example: { project_id, queue_ids: [id] },
    answer: QueueStatsFound,
  })
  async stats(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const { project_id: projectId, queue_ids: ids } = readStats(body);
    return { stats: await this.items.stats(caller, projectId, ids) };
  }

  @TracePost(':queue_id/items', {
    summary: 'Add calls to a queue; what is in it already, and calls that are not there, change nothing',
    body: AddCalls,
    example: { project_id, call_ids: [id], display_fields: ['inputs.prompt', 'output'] },
    answer: CallsAdded,
  })
  async add(
    @Caller() caller: Principal,
    @Param('queue_id') queueId: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { added, duplicates } = await this.items.add(caller, queueId, readCalls(body));
    return { added_count: added, duplicates };
  }

  @TracePost(':queue_id/items/query', {
    summary: 'Items of a queue, in the order in which they were added',
    body: QueryItems,
    example: { project_id, filter: { annotation_states: ['unstarted'] }, limit: 50 },
    answer: ItemsFound,
  })
  async query(
    @Caller() caller: Principal,
    @Param('queue_id') queueId: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    return { items: await this.items.query(caller, queueId, readQuery(body)) };
  }

  @ProgressPost()
  async progress(
    @Caller() caller: Principal,
    @Param('queue_id') queueId: string,
    @Param('item_id') itemId: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { project_id: projectId, annotation_state: state } = readProgress(body);
    return { item: await this.items.progress(caller, projectId, { queueId, itemId }, state) };
  }
}
