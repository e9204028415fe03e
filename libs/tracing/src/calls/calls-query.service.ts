import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { type JsonMember, jsonObject } from '@heddle/json';
import { ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { CostsService } from '../costs/costs.service.js';
import { CallAdditionsReader } from './call-additions.reader.js';
import { StatementReader } from '../query/statement.reader.js';
import { CallRollupsService } from '../rollups/call-rollups.service.js';
import { CallReader } from './call.reader.js';
import type { CallQueryRequest } from './call-query-request.js';
import { countCalls, isOfWholeProject, selectIds, storageSizes } from './call-query-statement.js';
import { ExpansionsReader } from './expansion/expansions.reader.js';
import type { CallRecord } from '../store/call-record.js';
import { callMembers, type SummaryAdditions } from './call-view.js';

const NEWLINE = Buffer.from('\n');

export interface CountedCalls {
  count: number;
  /** Of the traces whose roots were counted; null where nobody asked. */
  bytes: number | null;
}

/** Finds calls of a project. A project that the caller's team doesn't have (yet) has no calls. */
@Injectable()
export class CallsQueryService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly statements: StatementReader,
    private readonly reader: CallReader,
    private readonly additions: CallAdditionsReader,
    private readonly costs: CostsService,
    private readonly rollups: CallRollupsService,
    private readonly expansions: ExpansionsReader,
  ) {}

  async count(caller: Principal, request: CallQueryRequest, signal: AbortSignal): Promise<CountedCalls> {
    const project = await this.access.find(caller, request.project);
    // Also without a project: what is malformed should show before there is one.
    const statement = countCalls(project?.id ?? 0, await this.known(caller, project, request, signal));
    const nothing = { count: 0, bytes: request.includeTotalStorageSize ? 0 : null };
    if (!project) return nothing;
    const isKept = isOfWholeProject(request) && !request.includeTotalStorageSize;
    const all = isKept ? await this.rollups.countOf(project.id) : null;
    if (all !== null) return { count: Math.min(all, request.limit ?? all), bytes: null };
    for await (const [row] of this.statements.rows<CountedCalls>(statement, signal)) return row ?? nothing;
    return nothing;
  }

  /** JSON texts of the calls, one a line, in chunks of many lines. */
  async *lines(caller: Principal, request: CallQueryRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    const project = await this.access.find(caller, request.project);
    const ids = selectIds(project?.id ?? 0, await this.known(caller, project, request, signal));
    if (!project) return;
    const projectId = `${project.entity}/${project.name}`;
    const { limit, unread } = request;
    const more = storageSizes(request);
    for await (const found of this.reader.read({ projectId: project.id, ids, limit, unread, more }, signal)) {
      const expand = request.returnExpanded && request.expandColumns.length > 0;
      const calls = expand ? await this.expansions.ofCalls(caller, found, request.expandColumns) : found;
      const additions = await this.additions.of(project, calls, request);
      yield Buffer.concat(calls.flatMap((call, i) => [line(call, projectId, request, additions[i]!), NEWLINE]));
    }
  }

  /** With what a statement can't look up by itself. */
  private async known(
    caller: Principal,
    project: ProjectRef | null,
    request: CallQueryRequest,
    signal: AbortSignal,
  ): Promise<CallQueryRequest> {
    const prices = request.namesCosts ? { prices: project ? await this.costs.spans(project) : [] } : {};
    if (!project || request.expandColumns.length === 0) return { ...request, ...prices };
    return { ...request, ...prices, expanded: await this.expansions.ofQuery(caller, project, request, signal) };
  }
}

function line(
  call: CallRecord,
  projectId: string,
  { members }: CallQueryRequest,
  additions?: SummaryAdditions,
): Buffer {
  const all: JsonMember[] = callMembers(call, projectId, additions);
  return jsonObject(members ? all.filter(([name]) => members.has(name)) : all);
}
