import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { indexJson, indexJsonSync, type JsonMember, type JsonNode, jsonObject, RawJson } from '@heddle/json';
import { FilesService } from '../files/files.service.js';
import { ObjectsService } from '../objects/objects.service.js';
import { TablesService } from '../tables/tables.service.js';
import { type Maker, type ObjectKind, opMembers } from './object-kinds.js';
import { safeObjectId } from './op-source.js';

interface Named {
  objectId: string;
  digest: string;
}

/** Datasets, models, ops, scorers and evaluations: objects like all others, made and read field by field. */
@Injectable()
export class PublishedObjectsService {
  constructor(
    private readonly objects: ObjectsService,
    private readonly tables: TablesService,
    private readonly files: FilesService,
  ) {}

  async create(caller: Principal, projectId: string, kind: ObjectKind, body: JsonNode): Promise<JsonMember[]> {
    const sent = body.get('name')?.string();
    const objectId = sent === undefined ? kind.name : safeObjectId(sent) || kind.name;
    const make = this.maker(caller, projectId);
    const members = await kind.val(body, { name: sent ?? kind.name, objectId }, make);
    const { digest } = await this.publish(caller, projectId, objectId, members);
    const version = new Map(await this.objects.read(caller, { project_id: projectId, object_id: objectId, digest }));
    return [
      ['digest', digest],
      ['object_id', objectId],
      ['version_index', version.get('version_index')],
      ...(kind.ref ? [[kind.ref, `weave:///${projectId}/object/${objectId}:${digest}`] as const] : []),
    ];
  }

  async read(caller: Principal, projectId: string, kind: ObjectKind, named: Named): Promise<JsonMember[]> {
    const request = { project_id: projectId, object_id: named.objectId, digest: named.digest };
    return this.fieldsOf(caller, projectId, kind, await this.objects.read(caller, request));
  }

  /** Ops: the latest of each; of the others all versions. */
  async list(
    caller: Principal,
    projectId: string,
    kind: ObjectKind,
    page: { limit?: number; offset?: number },
  ): Promise<JsonMember[][]> {
    const filter = kind.isOp ? { is_op: true, latest_only: true } : { is_op: false, base_object_classes: [kind.name] };
    const found = await this.objects.query(caller, { project_id: projectId, filter, ...page });
    const list: JsonMember[][] = [];
    for (const members of found) list.push(await this.fieldsOf(caller, projectId, kind, members));
    return list;
  }

  /** @param digests all versions if undefined. @returns how many are gone */
  async delete(caller: Principal, projectId: string, objectId: string, digests?: string[]): Promise<number> {
    const request = { project_id: projectId, object_id: objectId, ...(digests ? { digests } : {}) };
    return (await this.objects.delete(caller, request)).length;
  }

  /** Publishes an op and returns the reference to it. */
  async publishOp(caller: Principal, projectId: string, name: string, source: string): Promise<string> {
    const file = await this.files.createFromText(caller, projectId, source);
    const { digest } = await this.publish(caller, projectId, name, opMembers(file));
    return `weave:///${projectId}/op/${name}:${digest}`;
  }

  private async publish(
    caller: Principal,
    projectId: string,
    objectId: string,
    members: JsonMember[],
  ): Promise<{ digest: string }> {
    const val = await indexJson(jsonObject(members));
    return this.objects.create(caller, { project_id: projectId, object_id: objectId }, val);
  }

  private maker(caller: Principal, projectId: string): Maker {
    return {
      file: (text) => this.files.createFromText(caller, projectId, text),
      op: (name, source) => this.publishOp(caller, projectId, name, source),
      table: async (rows) => {
        const { digest } = await this.tables.create(caller, { project_id: projectId }, rows);
        return `weave:///${projectId}/table/${digest}`;
      },
    };
  }

  private async fieldsOf(
    caller: Principal,
    projectId: string,
    kind: ObjectKind,
    version: JsonMember[],
  ): Promise<JsonMember[]> {
    const all = new Map(version);
    const val = indexJsonSync(Buffer.from((all.get('val') as RawJson).text));
    const file = val.get('files')?.get('obj.py')?.string();
    const source = file === undefined ? '' : await this.files.text(caller, projectId, file);
    const objectId = all.get('object_id') as string;
    return [
      ...['object_id', 'digest', 'version_index', 'created_at'].map((name): JsonMember => [name, all.get(name)]),
      ...kind.members({ objectId, val, source }),
    ];
  }
}
