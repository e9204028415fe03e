import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { type JsonNode, WorkTurns } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import { CallStore, type ProjectCall } from '../store/call.store.js';
import type { CallItem } from './call-batch.js';
import { makeId, traceIdOf } from '../store/call-ids.js';
import { readEnd, readStart } from './call-item.js';
import { idOf } from './call-scalars.js';

/** What a client learns about an item that it sent. */
export interface CallIds {
  id: string;
  trace_id: string;
}

/** Starts and ends of calls from the wire to the store, for callers who may write where they go. */
@Injectable()
export class CallsIngestService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly calls: CallStore,
  ) {}

  /**
   * Stores the items; when this resolves they are committed. Nothing is stored if one of them belongs to no project, or
   * to one of another team.
   * @param project where the request itself says which one; what the items say then doesn't matter
   * @returns the ids, by item
   */
  async store(caller: Principal, items: readonly CallItem[], project?: ProjectName): Promise<CallIds[]> {
    const places = project ? await this.access.findOrCreate(caller, project) : await this.projectsOf(caller, items);
    const ids: CallIds[] = [];
    await this.calls.addAll(caller.username, readItems(items, places, ids));
    return ids;
  }

  /** The project of each item. All are checked before the first one is made. */
  private async projectsOf(caller: Principal, items: readonly CallItem[]): Promise<ProjectRef[]> {
    const names = new Map<string | null | undefined, ProjectName>();
    const keys: (string | null | undefined)[] = [];
    const turns = new WorkTurns();
    for (const item of items) {
      const key = projectIdOf(item.node);
      if (!names.has(key)) names.set(key, parseProjectId(key, [...item.loc, 'project_id']));
      keys.push(key);
      if (turns.isOver()) await turns.next();
    }
    for (const name of names.values()) await this.access.find(caller, name);
    const projects = new Map<string | null | undefined, ProjectRef>();
    for (const [key, name] of names) projects.set(key, await this.access.findOrCreate(caller, name));
    return keys.map((key) => projects.get(key)!);
  }
}

/** Undefined where it is missing, null where it can't be one. */
function projectIdOf(item: JsonNode): string | null | undefined {
  const field = item.get('project_id');
  return !field || field.kind === 'null' ? undefined : (field.string() ?? null);
}

/** Each item as it is asked for; its ids are added to `ids`. */
function* readItems(
  items: readonly CallItem[],
  places: ProjectRef | ProjectRef[],
  ids: CallIds[],
): Generator<ProjectCall, void> {
  for (const [i, item] of items.entries()) {
    const project = Array.isArray(places) ? places[i]! : places;
    const itemIds = idsOf(item, project);
    ids.push(itemIds);
    yield { projectId: project.id, call: readItem(item, itemIds) };
  }
}

function idsOf({ kind, node }: CallItem, project: ProjectRef): CallIds {
  const sentId = idOf(node.get('id'));
  const id = sentId ?? makeId();
  if (kind === 'end') return { id, trace_id: '' };
  const traceId = idOf(node.get('trace_id'));
  if (traceId !== null || sentId === null) return { id, trace_id: traceId ?? makeId() };
  return { id, trace_id: traceIdOf(`${project.entity}/${project.name}`, id) };
}

const readItem = ({ kind, node }: CallItem, { id, trace_id: traceId }: CallIds): ProjectCall['call'] => ({
  id,
  ...(kind === 'end' ? {} : { start: readStart(node, traceId) }),
  ...(kind === 'start' ? {} : { end: readEnd(node) }),
});
