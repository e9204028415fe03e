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
import { countCalls, isOfWholeProject, selectIds } from './call-query-statement.js';
import type { CallRecord } from '../store/call-record.js';
import { callMembers, type SummaryAdditions } from './call-view.js';

const NEWLINE = Buffer.from('\n');

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
  ) {}

  async count(caller: Principal, request: CallQueryRequest, signal: AbortSignal): Promise<number> {
    const project = await this.access.find(caller, request.project);
    // Also without a project: what is malformed should show before there is one.
    const statement = countCalls(project?.id ?? 0, await this.priced(project, request));
    if (!project) return 0;
    const all = isOfWholeProject(request) ? await this.rollups.countOf(project.id) : null;
    return all === null ? this.statements.count(statement, signal) : Math.min(all, request.limit ?? all);
  }

  /** JSON texts of the calls, one a line, in chunks of many lines. */
  async *lines(caller: Principal, request: CallQueryRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
    const project = await this.access.find(caller, request.project);
    const ids = selectIds(project?.id ?? 0, await this.priced(project, request));
    if (!project) return;
    const projectId = `${project.entity}/${project.name}`;
    const { limit, unread } = request;
    for await (const calls of this.reader.read({ projectId: project.id, ids, limit, unread }, signal)) {
      const additions = await this.additions.of(project, calls, request);
      yield Buffer.concat(calls.flatMap((call, i) => [line(call, projectId, request, additions[i]!), NEWLINE]));
    }
  }

  private async priced(project: ProjectRef | null, request: CallQueryRequest): Promise<CallQueryRequest> {
    if (!request.namesCosts) return request;
    return { ...request, prices: project ? await this.costs.spans(project) : [] };
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
