import { Body, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { jsonArray, JsonNode, raw } from '@heddle/json';
import Type from 'typebox';
import { jsonAnswer } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { RefsService } from './refs.service.js';

const ReadRefs = Type.Object({ refs: Type.Array(Type.String(), { maxItems: 10_000 }) });
const RefValues = Type.Object({ vals: Type.Array(Type.Unknown()) });
const readReadRefs = fieldReader(ReadRefs);

@TracingController('refs')
export class RefsController {
  constructor(private readonly refs: RefsService) {}

  @TracePost('read_batch', {
    summary: 'Read what references name, in their order; null for what the caller may not see or nobody has',
    body: ReadRefs,
    example: { refs: ['weave:///acme/support/object/questions:latest/attr/rows'] },
    answer: RefValues,
  })
  async read(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const vals = await this.refs.read(caller, readReadRefs(body).refs);
    return jsonAnswer([['vals', raw(jsonArray(vals.map((val) => (val ? raw(val) : null))))]]);
  }
}
