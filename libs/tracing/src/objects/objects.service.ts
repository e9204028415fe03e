import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { encodeText, indexJson, type JsonMember, type JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import type pg from 'pg';
import { storedName } from '../request/stored-text.js';
import { checkBuiltinClass } from './builtin-classes.js';
import { jsonDigest } from './digest.js';
import { classesOf, kindOf, withClass } from './object-classes.js';
import { checkObjectId } from './object-names.js';
import { type ObjectDetails, objectMembers, type ObjectRow } from './object-row.js';
import { objectsQuery } from './objects-query.js';
import { DigestMismatchError, ObjectDeletedError, ObjectNotFoundError } from './objects.errors.js';
import { type DeletedVersion, ObjectsRepository } from './objects.repository.js';
import type { DeleteObject, NewObject, QueryObjects, ReadObject } from './objects.schema.js';

/** Published objects and ops: versions of named values, known by the digest of their content. */
@Injectable()
export class ObjectsService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly objects: ObjectsRepository,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** Publishes a version. The same content again is the same version. */
  async create(caller: Principal, fields: NewObject, val: JsonNode): Promise<{ digest: string; object_id: string }> {
    const name = parseProjectId(fields.project_id, ['body', 'obj', 'project_id']);
    checkObjectId(fields.object_id, ['body', 'obj', 'object_id']);
    const objectId = storedName(fields.object_id, ['body', 'obj', 'object_id']);
    const content = await withRequestedClass(val, fields.builtin_object_class ?? fields.set_base_object_class);
    const digest = await jsonDigest(content, ['body', 'obj', 'val']);
    const expected = fields.expected_digest;
    if (expected !== undefined && expected !== digest) throw new DigestMismatchError(expected, digest);
    const classes = classesOf(content);
    const project = await this.projects.findOrCreate(caller, name);
    await this.objects.save(project.id, {
      objectId,
      digest,
      kind: kindOf(content),
      baseClass: classes.base === null ? null : storedName(classes.base, ['body', 'obj', 'val', '_bases']),
      leafClass: classes.leaf === null ? null : storedName(classes.leaf, ['body', 'obj', 'val', '_class_name']),
      val: content.raw(),
      wbUserId: caller.username,
    });
    return { digest, object_id: fields.object_id };
  }

  async read(caller: Principal, request: ReadObject): Promise<JsonMember[]> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const details = detailsOf(request);
    const wanted = { objectId: encodeText(request.object_id), version: encodeText(request.digest) };
    const [row] = project ? await this.objects.findMany(project.id, [wanted], details) : [];
    if (!row) throw new ObjectNotFoundError(request.object_id, request.digest);
    if (row.deleted_at !== null) throw new ObjectDeletedError(request.object_id, request.digest, row.deleted_at);
    return objectMembers(row, request.project_id, details);
  }

  async query(caller: Principal, request: QueryObjects): Promise<JsonMember[][]> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const details = detailsOf(request);
    const statement = objectsQuery(project?.id ?? 0, request, details);
    if (!project) return [];
    const { rows } = await this.pool.query<ObjectRow>(statement.text, statement.values);
    return rows.map((row) => objectMembers(row, request.project_id, details));
  }

  /** Deletes the versions with these digests (`latest`, `vN` and aliases too), or all. One that is missing is a 404. */
  async delete(caller: Principal, request: DeleteObject): Promise<DeletedVersion[]> {
    const project = await this.projects.findWritable(caller, parseProjectId(request.project_id));
    const objectId = encodeText(request.object_id);
    if (!project) throw new ObjectNotFoundError(request.object_id, '*');
    const wanted = request.digests?.map((version) => ({ objectId, version: encodeText(version) }));
    const found = wanted && (await this.objects.findMany(project.id, wanted, { val: false, labels: false }));
    const missing = found?.findIndex((row) => !row) ?? -1;
    if (missing >= 0) throw new ObjectNotFoundError(request.object_id, request.digests![missing]!);
    const deleted = await this.objects.delete(project.id, objectId, found?.map((row) => row!.digest) ?? null);
    if (!wanted && deleted.length === 0) throw new ObjectNotFoundError(request.object_id, '*');
    return deleted;
  }
}

const detailsOf = (request: { metadata_only?: boolean; include_tags_and_aliases?: boolean }): ObjectDetails => ({
  val: request.metadata_only !== true,
  labels: request.include_tags_and_aliases === true,
});

/** A class that the request names, one of those that the clients build in, goes into a value that names none itself. */
async function withRequestedClass(val: JsonNode, className: string | undefined): Promise<JsonNode> {
  if (className === undefined) return val;
  const loc = ['body', 'obj', 'val'];
  if (val.kind !== 'object') throw ValidationError.at(loc, 'must be an object to have a class', 'object_type');
  const { leaf } = classesOf(val);
  if (leaf === className) return val;
  if (leaf !== null) throw ValidationError.at(loc, `is a ${leaf}, not a ${className}`, 'object_class');
  checkBuiltinClass(className, val.value(), loc);
  return indexJson(withClass(val.raw(), className));
}
