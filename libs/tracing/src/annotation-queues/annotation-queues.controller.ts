import { Body, Delete, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { jsonLines } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost, TracePut } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { CreateQueue, Queue, QueryQueues, QueueCreated, QueueFound, UpdateQueue } from './annotation-queues.schema.js';
import { AnnotationQueuesService } from './annotation-queues.service.js';

const readNew = fieldReader(CreateQueue);
const readQuery = fieldReader(QueryQueues);
const readUpdate = fieldReader(UpdateQueue);

const project_id = 'acme/support';
const scorer_refs = ['weave:///acme/support/object/severity:v0'];

@TracingController('annotation_queues')
export class AnnotationQueuesController {
  constructor(private readonly queues: AnnotationQueuesService) {}

  @TracePost('', {
    summary: 'Make a queue of calls that people are to look at',
    body: CreateQueue,
    example: { project_id, name: 'Errors', scorer_refs },
    answer: QueueCreated,
  })
  async create(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { id: await this.queues.create(caller, readNew(body)) };
  }

  @TracePost('query', {
    summary: 'Annotation queues, the newest first: one JSON object a line',
    body: QueryQueues,
    example: { project_id, name: 'err', limit: 10 },
    answer: Queue,
    lines: true,
  })
  async query(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const queues = await this.queues.query(caller, readQuery(body));
    return jsonLines(queues.map((queue) => Object.entries(queue)));
  }

  @Get(':queue_id')
  @ApiOperation({ summary: 'One annotation queue' })
  @ApiQuery({ name: 'project_id', type: String })
  @ApiOkResponse({ schema: { ...QueueFound } })
  async read(
    @Caller() caller: Principal,
    @Param('queue_id') id: string,
    @Query('project_id') projectId: string,
  ): Promise<object> {
    return { queue: await this.queues.read(caller, projectId, id) };
  }

  @TracePut(':queue_id', {
    summary: 'Change an annotation queue: what is not given stays',
    body: UpdateQueue,
    example: { project_id, name: 'Grave errors' },
    answer: QueueFound,
  })
  async update(
    @Caller() caller: Principal,
    @Param('queue_id') id: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    return { queue: await this.queues.update(caller, id, readUpdate(body)) };
  }

  @Delete(':queue_id')
  @ApiOperation({ summary: 'Delete an annotation queue. Its calls stay, and what was said about them' })
  @ApiQuery({ name: 'project_id', type: String })
  @ApiOkResponse({ schema: { ...QueueFound } })
  async delete(
    @Caller() caller: Principal,
    @Param('queue_id') id: string,
    @Query('project_id') projectId: string,
  ): Promise<object> {
    return { queue: await this.queues.delete(caller, projectId, id) };
  }
}
