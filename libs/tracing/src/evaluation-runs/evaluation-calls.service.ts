import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { NotFoundError } from '@heddle/http';
import { indexJson, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { readCallQuery } from '../calls/call-query-request.js';
import { CallsQueryService } from '../calls/calls-query.service.js';
import { CallsService } from '../calls/calls.service.js';
import { CallsIngestService } from '../ingest/calls-ingest.service.js';
import { parseTraceRef } from '../refs/trace-ref.js';

/** What a `complete` item has is a start and its end in one. */
export interface NewCallItem {
  kind: 'start' | 'end' | 'complete';
  members: JsonMember[];
}

const NEWLINE = 0x0a;

/** Evaluation runs, predictions and scores are calls: written and read here as such. */
@Injectable()
export class EvaluationCallsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly ingest: CallsIngestService,
    private readonly calls: CallsService,
    private readonly queries: CallsQueryService,
  ) {}

  /** Refuses those that may not write, before anything is read. */
  async requireWriter(caller: Principal, projectId: string): Promise<void> {
    await this.access.findWritable(caller, parseProjectId(projectId));
  }

  async write(caller: Principal, projectId: string, items: NewCallItem[]): Promise<void> {
    const project = parseProjectId(projectId);
    const nodes = [];
    for (const { kind, members } of items)
      nodes.push({ kind, node: await indexJson(jsonObject(members)), loc: ['body'] });
    await this.ingest.store(caller, nodes, project);
  }

  async read(caller: Principal, projectId: string, id: string): Promise<JsonNode | null> {
    const text = await this.calls.read(caller, projectId, id, false);
    return text && indexJson(text);
  }

  /** @throws CallNotFoundError @param what it is, for the message */
  async get(caller: Principal, projectId: string, id: string, what: string): Promise<JsonNode> {
    const call = await this.read(caller, projectId, id);
    if (call) return call;
    throw new NotFoundError(`${what} '${id}' not found`, 'call_not_found');
  }

  /** @param query members of the body of `/calls/stream_query` */
  async find(caller: Principal, projectId: string, query: object, signal: AbortSignal): Promise<JsonNode[]> {
    const found: JsonNode[] = [];
    for await (const call of this.stream(caller, projectId, query, signal)) found.push(call);
    return found;
  }

  /** The same one by one, of which the reader may have enough. */
  async *stream(
    caller: Principal,
    projectId: string,
    query: object,
    signal: AbortSignal,
  ): AsyncGenerator<JsonNode, void> {
    const body = await indexJson(Buffer.from(JSON.stringify({ project_id: projectId, ...query })));
    for await (const lines of this.queries.lines(caller, readCallQuery(body), signal)) {
      for (let start = 0, end = 0; start < lines.length; start = end + 1) {
        end = lines.indexOf(NEWLINE, start);
        yield await indexJson(lines.subarray(start, end));
      }
    }
  }

  /** @returns how many of the ids were there; what is below them goes too */
  async delete(caller: Principal, projectId: string, ids: string[], signal: AbortSignal): Promise<number> {
    const there = await this.find(caller, projectId, { filter: { call_ids: ids }, columns: ['id'] }, signal);
    await this.calls.delete(caller, projectId, ids);
    return ids.length > 0 ? there.length : 0;
  }
}

export const now = (): string => new Date().toISOString();

/** `attributes.weave`, where the clients' evaluations keep what a call is about. */
export const weaveOf = (call: JsonNode): JsonNode | undefined => call.get('attributes')?.get('weave');

export const text = (node: JsonNode | undefined, name: string): string | null => node?.get(name)?.string() ?? null;

export const rawOf = (node: JsonNode | undefined, otherwise: unknown): unknown => (node ? raw(node.raw()) : otherwise);

/** Name of the object or op that a reference names. */
export function nameIn(ref: string, otherwise: string): string {
  const target = parseTraceRef(ref)?.target;
  return target?.type === 'object' ? target.objectId : otherwise;
}

/** `$eq` of a field below `attributes.weave`. */
export const weaveIs = (name: string, value: string): object => ({
  $eq: [{ $getField: `attributes.weave.${name}` }, { $literal: value }],
});

export const weaveIn = (name: string, values: string[]): object => ({
  $in: [{ $getField: `attributes.weave.${name}` }, values.map((value) => ({ $literal: value }))],
});
