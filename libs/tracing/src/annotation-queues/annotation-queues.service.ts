import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { QueueNotFoundError } from './annotation-queues.errors.js';
import { AnnotationQueuesRepository, type QueueRow } from './annotation-queues.repository.js';
import { type CreateQueue, MAX_QUEUES, type QueryQueues, type UpdateQueue } from './annotation-queues.schema.js';

export type QueueAnswer = QueueRow & { project_id: string };

/** Queues of calls that people look at one after the other. */
@Injectable()
export class AnnotationQueuesService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly queues: AnnotationQueuesRepository,
  ) {}

  /** @returns the id of the new queue */
  async create(caller: Principal, queue: CreateQueue): Promise<string> {
    const project = await this.access.findOrCreate(caller, parseProjectId(queue.project_id));
    const id = await this.queues.add(project.id, queue, caller.username, MAX_QUEUES);
    if (id !== null) return id;
    throw ValidationError.at(['body', 'project_id'], `The project has ${MAX_QUEUES} annotation queues`, 'too_many');
  }

  async query(caller: Principal, request: QueryQueues): Promise<QueueAnswer[]> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const rows = project ? await this.queues.query(project.id, request) : [];
    return rows.map((row) => ({ ...row, project_id: request.project_id }));
  }

  async read(caller: Principal, projectId: string, id: string): Promise<QueueAnswer> {
    const project = await this.access.find(caller, parseProjectId(projectId, ['query', 'project_id']));
    return found(project && (await this.queues.find(project.id, id)), projectId, id);
  }

  async update(caller: Principal, id: string, changes: UpdateQueue): Promise<QueueAnswer> {
    const project = await this.access.findWritable(caller, parseProjectId(changes.project_id));
    return found(project && (await this.queues.update(project.id, id, changes)), changes.project_id, id);
  }

  async delete(caller: Principal, projectId: string, id: string): Promise<QueueAnswer> {
    const project = await this.access.findWritable(caller, parseProjectId(projectId, ['query', 'project_id']));
    return found(project && (await this.queues.delete(project.id, id)), projectId, id);
  }
}

function found(row: QueueRow | null, projectId: string, id: string): QueueAnswer {
  if (!row) throw new QueueNotFoundError(id);
  return { ...row, project_id: projectId };
}
