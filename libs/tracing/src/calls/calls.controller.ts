import { Body, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { type JsonNode, raw } from '@heddle/json';
import { jsonAnswer } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { CallRead, CallsDeleted, DeleteCalls, Nothing, ReadCall, UpdateCall } from './calls.schema.js';
import { CallsService } from './calls.service.js';

const readRead = fieldReader(ReadCall);
const readDelete = fieldReader(DeleteCalls);
const readUpdate = fieldReader(UpdateCall);

const example = { project_id: 'acme/support', id: '0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11' };

@TracingController()
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @TracePost('call/read', {
    summary: 'Read one call; null where there is none of that id, or it was deleted',
    body: ReadCall,
    example,
    answer: CallRead,
  })
  async read(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const { project_id, id, include_costs = false } = readRead(body);
    const call = await this.calls.read(caller, project_id, id, include_costs);
    return jsonAnswer([['call', call && raw(call)]]);
  }

  @TracePost('calls/delete', {
    summary: 'Delete calls and all their descendants',
    body: DeleteCalls,
    example: { project_id: example.project_id, call_ids: [example.id] },
    answer: CallsDeleted,
  })
  async delete(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<{ num_deleted: number }> {
    const { project_id, call_ids } = readDelete(body);
    return { num_deleted: await this.calls.delete(caller, project_id, call_ids) };
  }

  @TracePost('call/update', {
    summary: 'Rename a call',
    body: UpdateCall,
    example: { project_id: example.project_id, call_id: example.id, display_name: 'First answer' },
    answer: Nothing,
  })
  async update(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const { project_id, call_id, display_name } = readUpdate(body);
    if (display_name !== undefined) await this.calls.rename(caller, project_id, call_id, display_name);
    return {};
  }
}
