import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { decodeText } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { originalText } from '../values/indexed-text.js';
import { AnnotationStateError, QueueItemNotFoundError, QueueNotFoundError } from './annotation-queues.errors.js';
import { AnnotationQueuesRepository } from './annotation-queues.repository.js';
import { type AddCalls, MAX_ITEMS_OF_ANSWER, MAX_QUEUE_ITEMS, type QueryItems } from './annotation-queues.schema.js';
import { type AddedCalls, type ItemRow, QueueItemsRepository } from './queue-items.repository.js';

/** The calls of a queue, and how far people are with them. */
@Injectable()
export class QueueItemsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly queues: AnnotationQueuesRepository,
    private readonly items: QueueItemsRepository,
  ) {}

  async add(caller: Principal, queueId: string, calls: AddCalls): Promise<AddedCalls> {
    const project = await this.access.findWritable(caller, parseProjectId(calls.project_id));
    const full = (): Error =>
      ValidationError.at(['body', 'call_ids'], `A queue has at most ${MAX_QUEUE_ITEMS} items`, 'too_many');
    const by = { addedBy: caller.username, most: MAX_QUEUE_ITEMS, full };
    const added = project && (await this.items.add(project.id, queueId, calls, by));
    if (!added) throw new QueueNotFoundError(queueId);
    return added;
  }

  async query(caller: Principal, queueId: string, request: QueryItems): Promise<object[]> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    if (!project || !(await this.queues.find(project.id, queueId))) throw new QueueNotFoundError(queueId);
    const rows = await this.items.query(project.id, queueId, request, MAX_ITEMS_OF_ANSWER);
    return rows.map((row) => itemOf(row, request.project_id, queueId, request.include_position ?? false));
  }

  /** Of queues that aren't there too: they have no items. */
  async stats(caller: Principal, projectId: string, queueIds: string[]): Promise<object[]> {
    const project = await this.access.find(caller, parseProjectId(projectId));
    const counts = await this.items.counts(project?.id ?? 0, queueIds);
    return counts.map(({ total, completed }, i) => ({
      queue_id: queueIds[i],
      total_items: total,
      completed_items: completed,
    }));
  }

  /** Says how far the caller is with an item. @returns the item */
  async progress(
    caller: Principal,
    projectId: string,
    { queueId, itemId }: { queueId: string; itemId: string },
    state: string,
  ): Promise<object> {
    const project = await this.access.findWritable(caller, parseProjectId(projectId));
    const now = project && (await this.items.progress(project.id, queueId, itemId, caller.username, state));
    if (!project || now === null) throw new QueueItemNotFoundError(itemId, queueId);
    if (now !== state) throw new AnnotationStateError(now, state);
    const request = { project_id: projectId, filter: { id: itemId } };
    const [row] = await this.items.query(project.id, queueId, request, 1);
    return itemOf(row!, projectId, queueId, false);
  }
}

const itemOf = (row: ItemRow, projectId: string, queueId: string, placed: boolean): object => ({
  id: row.id,
  project_id: projectId,
  queue_id: queueId,
  call_id: originalText(row.call_id, row.long_texts),
  call_started_at: row.call_started_at,
  call_ended_at: row.call_ended_at,
  call_op_name: originalText(row.call_op_name, row.long_texts),
  call_trace_id: originalText(row.call_trace_id, row.long_texts),
  display_fields: row.display_fields.map(decodeText),
  added_by: row.added_by,
  annotation_state: row.annotation_state,
  annotator_user_id: row.annotator_user_id,
  created_at: row.created_at,
  created_by: row.added_by,
  updated_at: row.updated_at,
  deleted_at: null,
  position_in_queue: placed ? Number(row.position) : null,
});
