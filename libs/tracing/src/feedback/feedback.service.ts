import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { decodeText, encodeText, jsonArray, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import { AnnotationSpecsService } from './annotation-specs.service.js';
import { feedbackMembers, type FeedbackRow } from './feedback-row.js';
import { idsToPurge } from '../request/purge-ids.js';
import { FeedbackRepository } from './feedback.repository.js';
import { COUNT, fieldPicker, isCount } from './feedback-fields.js';
import type { QueryFeedback } from './feedback.schema.js';
import { readFeedback, type ReadFeedback } from './new-feedback.js';

/** Longer batches than this are refused; the SDKs halve a batch that is. */
const MAX_BATCH = 10_000;

/** Reactions, notes, annotations and scores about calls and objects. */
@Injectable()
export class FeedbackService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly feedback: FeedbackRepository,
    private readonly specs: AnnotationSpecsService,
  ) {}

  async create(caller: Principal, body: JsonNode): Promise<JsonMember[]> {
    const { project, row } = await this.read(caller, body, ['body']);
    const { id: projectId } = await this.projects.findOrCreate(caller, project);
    const [added] = await this.feedback.add([{ projectId, row }], caller.username);
    return createdMembers(added!);
  }

  /** All or nothing: the SDKs split a batch that is refused with 422, and so find the item that is not valid. */
  async createBatch(caller: Principal, batch: JsonNode): Promise<JsonMember[][]> {
    const items = [...batch.items()];
    if (items.length > MAX_BATCH)
      throw ValidationError.at(['body', 'batch'], `more than ${MAX_BATCH} items`, 'too_long');
    const projectIds = new Map<string, number>();
    const writes = [];
    for (const [i, item] of items.entries()) {
      const { project, row } = await this.read(caller, item, ['body', 'batch', i]);
      writes.push({ projectId: await this.projectId(caller, project, projectIds), row });
    }
    const added = await this.feedback.add(writes, caller.username);
    return added.map(createdMembers);
  }

  /** Puts new feedback in the place of old; it keeps the old id unless it brings one. */
  async replace(caller: Principal, feedbackId: string, body: JsonNode): Promise<JsonMember[]> {
    const { project, row } = await this.read(caller, body, ['body'], feedbackId);
    const { id: projectId } = await this.projects.findOrCreate(caller, project);
    return createdMembers(await this.feedback.replace(encodeText(feedbackId), { projectId, row }, caller.username));
  }

  async query(
    caller: Principal,
    request: QueryFeedback,
    body: JsonNode,
  ): Promise<{ result: JsonMember[][]; total: number }> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    // Also without a project: what is malformed should show before there is one.
    const { rows, total } = await this.feedback.query(project?.id ?? 0, request, body);
    if (isCount(request.fields)) return { result: [[[COUNT, total]]], total };
    const pick = fieldPicker(request.fields);
    return { result: rows.map((row) => pick(feedbackMembers(row, request.project_id))), total };
  }

  async purge(caller: Principal, projectId: string, body: JsonNode): Promise<void> {
    const project = await this.projects.findWritable(caller, parseProjectId(projectId));
    const ids = idsToPurge(body).map(encodeText);
    if (project) await this.feedback.purge(project.id, ids);
  }

  /**
   * Feedback about calls of one project: JSON texts for `summary.weave.feedback`, by call id; calls without any are left
   * out. One statement for any number of calls.
   */
  async ofCalls(
    project: Pick<ProjectRef, 'id' | 'entity' | 'name'>,
    callIds: readonly string[],
  ): Promise<Map<string, Buffer>> {
    const projectId = `${project.entity}/${project.name}`;
    const idByRef = new Map(callIds.map((id) => [encodeText(`weave:///${projectId}/call/${id}`), id]));
    const rows = await this.feedback.about(project.id, [...idByRef.keys()]);
    const byCall = new Map<string, Buffer[]>();
    for (const row of rows) {
      const callId = idByRef.get(row.weave_ref)!;
      const list = byCall.get(callId) ?? [];
      list.push(jsonObject(feedbackMembers(row, projectId)));
      byCall.set(callId, list);
    }
    return new Map([...byCall].map(([callId, list]) => [callId, jsonArray(list.map(raw))]));
  }

  private async read(caller: Principal, ...from: Parameters<typeof readFeedback>): Promise<ReadFeedback> {
    const read = await readFeedback(...from);
    if (read.annotation) await this.specs.check(caller, read.annotation);
    return read;
  }

  private async projectId(caller: Principal, name: ProjectName, known: Map<string, number>): Promise<number> {
    const key = `${name.entity}/${name.project}`;
    const id = known.get(key) ?? (await this.projects.findOrCreate(caller, name)).id;
    known.set(key, id);
    return id;
  }
}

const createdMembers = (row: FeedbackRow): JsonMember[] => [
  ['id', decodeText(row.id)],
  ['created_at', row.created_at],
  ['wb_user_id', row.wb_user_id],
  ['payload', raw(row.payload)],
];
