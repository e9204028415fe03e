import { Body, type StreamableFile } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { JsonNode, jsonObject, raw } from '@heddle/json';
import { jsonAnswer, jsonObjects } from '../request/json-answer.js';
import { PayloadBodyPipe } from '../request/payload-body.pipe.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import {
  CreatedObject,
  CreateObject,
  DeletedObjects,
  DeleteObject,
  NewObject,
  ObjectRead,
  ObjectsFound,
  QueryObjects,
  ReadObject,
} from './objects.schema.js';
import { ObjectsService } from './objects.service.js';

const readNewObject = fieldReader(NewObject);
const readReadObject = fieldReader(ReadObject);
const readQueryObjects = fieldReader(QueryObjects);
const readDeleteObject = fieldReader(DeleteObject);

const named = { project_id: 'acme/support', object_id: 'greeting' };

@TracingController()
export class ObjectsController {
  constructor(private readonly objects: ObjectsService) {}

  @TracePost('obj/create', {
    summary: 'Publish a version of an object or op; the same content again is the same version',
    body: CreateObject,
    example: { obj: { ...named, val: { text: 'Hello' } } },
    answer: CreatedObject,
  })
  @ApiConflictResponse({ description: 'The digest that the client expects is another one.' })
  create(
    @Caller() caller: Principal,
    @Body(PayloadBodyPipe) body: JsonNode,
  ): Promise<{ digest: string; object_id: string }> {
    const fields = readNewObject(body.get('obj'), ['body', 'obj']);
    const val = body.get('obj')?.get('val');
    if (!val) throw ValidationError.at(['body', 'obj', 'val'], 'val is required', 'missing');
    return this.objects.create(caller, fields, val);
  }

  @TracePost('obj/read', {
    summary: 'Read one version of an object',
    body: ReadObject,
    example: { ...named, digest: 'latest' },
    answer: ObjectRead,
  })
  async read(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return jsonAnswer([['obj', raw(jsonObject(await this.objects.read(caller, readReadObject(body))))]]);
  }

  @TracePost('objs/query', {
    summary: 'Find versions of objects',
    body: QueryObjects,
    example: { project_id: 'acme/support', filter: { base_object_classes: ['Dataset'], latest_only: true }, limit: 20 },
    answer: ObjectsFound,
  })
  async query(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    const found = await this.objects.query(caller, readQueryObjects(body));
    return jsonAnswer([['objs', jsonObjects(found)]]);
  }

  @TracePost('obj/delete', {
    summary: 'Delete versions of an object, or all of them',
    body: DeleteObject,
    example: { ...named, digests: ['v0'] },
    answer: DeletedObjects,
  })
  async delete(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const versions = await this.objects.delete(caller, readDeleteObject(body));
    return { num_deleted: versions.length, deleted_versions: versions };
  }
}
