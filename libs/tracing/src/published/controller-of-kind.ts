import { Body, Delete, Get, Param, Query, type StreamableFile, type Type as Class } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import Type from 'typebox';
import { ApiLines } from '../request/api-lines.decorator.js';
import { jsonAnswer, jsonLines } from '../request/json-answer.js';
import { pageOf, textsOf } from '../request/page-of-query.js';
import { PayloadBodyPipe } from '../request/payload-body.pipe.js';
import { fieldReader } from '../request/read-fields.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { wrongKind } from '../request/wrong-kind.js';
import type { ObjectKind } from './object-kinds.js';
import { PublishedObjectsService } from './published-objects.service.js';

const Created = Type.Object({ digest: Type.String(), object_id: Type.String(), version_index: Type.Integer() });
const Deleted = Type.Object({ num_deleted: Type.Integer() });

/** The four routes of one kind of objects. */
export function controllerOfKind(kind: ObjectKind): Class<unknown> {
  const { rows: _rows, attributes: _attributes, eval_attributes: _more, ...small } = kind.body.properties;
  const check = fieldReader(Type.Object(small));
  const what = kind.name.toLowerCase();
  const answer = { schema: { ...kind.fields } };

  @TracingController(`v2/:entity/:project/${kind.plural}`)
  class PublishedObjectsController {
    constructor(private readonly objects: PublishedObjectsService) {}

    @TracePost('', {
      summary: `Publish a version of ${what}s`,
      body: kind.body,
      example: kind.example,
      answer: Created,
    })
    async create(
      @Caller() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Body(PayloadBodyPipe) body: JsonNode,
    ): Promise<StreamableFile> {
      check(body);
      checkPayloads(kind, body);
      return jsonAnswer(await this.objects.create(caller, `${entity}/${project}`, kind, body));
    }

    @Get()
    @ApiOperation({ summary: `Versions of ${what}s, one JSON object a line` })
    @ApiQuery({ name: 'limit', type: Number, required: false })
    @ApiQuery({ name: 'offset', type: Number, required: false })
    @ApiLines(kind.fields)
    async list(
      @Caller() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Query('limit') limit?: string,
      @Query('offset') offset?: string,
    ): Promise<StreamableFile> {
      return jsonLines(await this.objects.list(caller, `${entity}/${project}`, kind, pageOf({ limit, offset })));
    }

    @Get(':object_id/versions/:digest')
    @ApiOperation({ summary: `One version of a ${what}` })
    @ApiOkResponse(answer)
    async read(
      @Caller() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Param('object_id') objectId: string,
      @Param('digest') digest: string,
    ): Promise<StreamableFile> {
      return jsonAnswer(await this.objects.read(caller, `${entity}/${project}`, kind, { objectId, digest }));
    }

    @Delete(':object_id')
    @ApiOperation({ summary: `Delete versions of a ${what}; all without digests` })
    @ApiQuery({ name: 'digests', type: [String], required: false })
    @ApiOkResponse({ schema: { ...Deleted } })
    async delete(
      @Caller() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Param('object_id') objectId: string,
      @Query('digests') digests?: string | string[],
    ): Promise<object> {
      const wanted = textsOf(digests);
      return { num_deleted: await this.objects.delete(caller, `${entity}/${project}`, objectId, wanted) };
    }
  }
  // Names operations in the API document.
  Object.defineProperty(PublishedObjectsController, 'name', { value: `${kind.name}ObjectsController` });
  return PublishedObjectsController;
}

/** Those are as large as they like, and are checked without being made. */
function checkPayloads(kind: ObjectKind, body: JsonNode): void {
  for (const name of ['rows', 'attributes', 'eval_attributes']) {
    if (Object.hasOwn(kind.body.properties, name)) checkPayload(body.get(name), name);
  }
}

function checkPayload(node: JsonNode | undefined, name: string): void {
  const loc = ['body', name];
  if (name !== 'rows') {
    if (node && node.kind !== 'object' && node.kind !== 'null')
      throw ValidationError.at(loc, 'must be an object', 'object_type');
    return;
  }
  if (node?.kind !== 'array') throw wrongKind(loc, 'list', node);
}
