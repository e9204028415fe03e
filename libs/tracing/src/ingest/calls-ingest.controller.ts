import { Body, Param } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import type { JsonNode } from '@heddle/json';
import { parseProjectId } from '@heddle/projects';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { readCompleteBatch, readSingle, readUpsertBatch } from './call-batch.js';
import { type CallIds, CallsIngestService } from './calls-ingest.service.js';
import { completeExample, endExample, startExample } from './calls-ingest.examples.js';
import {
  CompleteCalls,
  EndCall,
  MAX_COMPLETE_ITEMS,
  Nothing,
  StartCall,
  StartedCall,
  UpsertBatch,
  UpsertedBatch,
} from '../calls/calls.schema.js';

/** Values of all items together, without their payloads': more than 30 MiB can hold of real ones. */
const maxNodes = 4_000_000;
/** Down to the fields of a call, and no deeper: payloads stay text. */
const UpsertBody = new TraceBodyPipe({ depth: 5, maxNodes });
const CompleteBody = new TraceBodyPipe({ depth: 3, maxNodes });
const SingleBody = new TraceBodyPipe({ depth: 2, maxNodes });

/** Where clients send what they trace. */
@TracingController()
export class CallsIngestController {
  constructor(private readonly calls: CallsIngestService) {}

  @TracePost('call/upsert_batch', {
    summary: 'Store starts and ends of calls, in any order, as often as you like',
    body: UpsertBatch,
    example: {
      batch: [
        { mode: 'start', req: { start: startExample } },
        { mode: 'end', req: { end: endExample } },
      ],
    },
    answer: UpsertedBatch,
  })
  async upsertBatch(@Caller() caller: Principal, @Body(UpsertBody) body: JsonNode): Promise<{ res: object[] }> {
    const items = await readUpsertBatch(body);
    const ids = await this.calls.store(caller, items);
    return { res: items.map(({ kind }, i) => (kind === 'start' ? ids[i]! : {})) };
  }

  @TracePost('call/start', {
    summary: 'Store the start of a call',
    body: StartCall,
    example: { start: startExample },
    answer: StartedCall,
  })
  async start(@Caller() caller: Principal, @Body(SingleBody) body: JsonNode): Promise<CallIds> {
    return (await this.calls.store(caller, [readSingle(body, 'start')]))[0]!;
  }

  @TracePost('call/end', {
    summary: 'Store the end of a call',
    body: EndCall,
    example: { end: endExample },
    answer: Nothing,
  })
  async end(@Caller() caller: Principal, @Body(SingleBody) body: JsonNode): Promise<object> {
    await this.calls.store(caller, [readSingle(body, 'end')]);
    return {};
  }

  @TracePost('v2/:entity/:project/calls/complete', {
    summary: 'Store calls that have ended',
    body: CompleteCalls,
    example: { batch: [completeExample] },
    answer: Nothing,
  })
  async complete(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(CompleteBody) body: JsonNode,
  ): Promise<object> {
    const items = await readCompleteBatch(body, MAX_COMPLETE_ITEMS);
    await this.calls.store(caller, items, projectInPath(entity, project));
    return {};
  }

  @TracePost('v2/:entity/:project/call/start', {
    summary: 'Store the start of a call in the project of the path',
    body: StartCall,
    example: { start: startExample },
    answer: StartedCall,
  })
  async startIn(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(SingleBody) body: JsonNode,
  ): Promise<CallIds> {
    return (await this.calls.store(caller, [readSingle(body, 'start')], projectInPath(entity, project)))[0]!;
  }

  @TracePost('v2/:entity/:project/call/end', {
    summary: 'Store the end of a call in the project of the path',
    body: EndCall,
    example: { end: endExample },
    answer: Nothing,
  })
  async endIn(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(SingleBody) body: JsonNode,
  ): Promise<object> {
    await this.calls.store(caller, [readSingle(body, 'end')], projectInPath(entity, project));
    return {};
  }
}

const projectInPath = (entity: string, project: string): ReturnType<typeof parseProjectId> =>
  parseProjectId(`${entity}/${project}`, ['path', 'project']);
