import { WorkTurns } from '@heddle/json';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import type { CallItem } from './call-batch.js';
import { makeId, traceIdOf } from './call-ids.js';
import { addEnd, addSearchTexts, addStart, encoded, indexedCell, needsSearchTexts } from './call-item.js';
import { idOf } from './call-scalars.js';
import { type CallWrite, emptyWrite, mergeInto } from '../store/call-write.js';
import { CallWriter } from '../store/call.writer.js';

/** What a client learns about an item that it sent. */
export interface CallIds {
  id: string;
  trace_id: string;
}

/** Starts and ends of calls into rows: read, merged in memory, written at once. */
@Injectable()
export class CallsIngestService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly writer: CallWriter,
  ) {}

  /**
   * Stores the items; when this resolves they are committed. Nothing is stored if one of them belongs to no project, or
   * to one of another team.
   * @param project where the request itself says which one; what the items say then doesn't matter
   * @returns the ids, by item
   */
  async store(caller: Principal, items: readonly CallItem[], project?: ProjectName): Promise<CallIds[]> {
    const places = project ? await this.access.findOrCreate(caller, project) : await this.projectsOf(caller, items);
    const writes = new Map<string, CallWrite>();
    const ids: CallIds[] = [];
    const turns = new WorkTurns();
    for (const [i, item] of items.entries()) {
      const [write, itemIds] = readItem(item, Array.isArray(places) ? places[i]! : places, caller.username);
      if (needsSearchTexts(write)) await addSearchTexts(write);
      const key = `${write.project_id} ${write.id}`;
      const before = writes.get(key);
      if (before) mergeInto(before, write);
      else writes.set(key, write);
      ids.push(itemIds);
      if (turns.isOver()) await turns.next();
    }
    await this.writer.write([...writes.values()]);
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

function readItem({ kind, node }: CallItem, project: ProjectRef, username: string): [CallWrite, CallIds] {
  const sentId = idOf(node.get('id'));
  const id = sentId ?? makeId();
  const longTexts = { long_texts: null };
  const write = emptyWrite(project.id, indexedCell(longTexts, id));
  write.long_texts = longTexts.long_texts;
  if (kind !== 'start') addEnd(write, node);
  if (kind === 'end') {
    write.rename = encoded(node.get('display_name'));
    return [write, { id, trace_id: '' }];
  }
  const projectId = `${project.entity}/${project.name}`;
  const traceId = idOf(node.get('trace_id')) ?? (sentId === null ? makeId() : traceIdOf(projectId, id));
  write.trace_id = indexedCell(write, traceId);
  addStart(write, node, username);
  return [write, { id, trace_id: traceId }];
}
