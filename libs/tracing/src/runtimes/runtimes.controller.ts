import { applyDecorators, Body, Param } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePut } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { ApplyRuntime, RuntimeApplied } from './runtimes.schema.js';
import { RuntimesService } from './runtimes.service.js';

const readRuntime = fieldReader(ApplyRuntime);

const ApplyPut = (): MethodDecorator =>
  applyDecorators(
    TracePut(':name', {
      summary: 'Keep which models an OpenAI-compatible endpoint serves, for the playground',
      body: ApplyRuntime,
      example: {
        base_url: 'https://models.example/v1',
        api_key_secret: 'MODELS_KEY',
        runtime_ids: [{ id: 'small', max_tokens: 4096 }],
      },
      answer: RuntimeApplied,
    }),
    ApiConflictResponse({ description: 'Another object has its name.' }),
  );

@TracingController('v2/:entity/:project/runtimes')
export class RuntimesController {
  constructor(private readonly runtimes: RuntimesService) {}

  @ApplyPut()
  apply(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('name') name: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    return this.runtimes.apply(caller, `${entity}/${project}`, name, readRuntime(body));
  }
}
