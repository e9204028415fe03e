import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import type { CallQueryRequest } from '../calls/call-query-request.js';
import type { Statement } from '../query/statement.js';
import { indexedText, originalText } from '../values/indexed-text.js';
import { CostsService } from '../costs/costs.service.js';
import { callUsage } from './call-usage.js';
import { selectTrees, selectUsage, type UsageRow } from './usage-query.js';
import { type CallsUsage, DEFAULT_CALLS } from './usage.schema.js';
import { type UsageByModel, usageWithDescendants, type UsingCall } from './usage-tree.js';

/** By call id. */
export interface UsageFound {
  usage: Map<string, UsageByModel>;
  unfinished: string[];
}

/** What is kept of the calls that were read: their payloads are gone by then. */
interface ReadCalls {
  calls: UsingCall[];
  /** Ids as clients know them, by stored id. */
  ids: Map<string, string>;
  running: string[];
}

/** Tokens and costs of calls, with those of everything that they called. */
@Injectable()
export class UsageService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: StatementReader,
    private readonly costs: CostsService,
  ) {}

  /** For each of the ids, found or not, what it used. */
  async ofCalls(caller: Principal, request: CallsUsage, signal: AbortSignal): Promise<UsageFound> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const { call_ids: callIds, limit = DEFAULT_CALLS, include_costs: costs = false } = request;
    const statement = selectTrees(project?.id ?? 0, callIds, limit);
    const read = await this.read(project, statement, costs, signal);
    if (read.calls.length > limit) {
      const msg = `These calls and their descendants are more than ${limit}: ask for fewer, or raise the limit`;
      throw ValidationError.at(['body', 'limit'], msg, 'too_many_calls');
    }
    const totals = usageWithDescendants(read.calls);
    const usage = new Map(callIds.map((id) => [id, totals.get(indexedText(id)) ?? (new Map() as UsageByModel)]));
    return { usage, unfinished: read.running };
  }

  /** For each call that is found, what it used; descendants count if they are found, too. */
  async ofTrace(
    caller: Principal,
    request: CallQueryRequest,
    includeCosts: boolean,
    signal: AbortSignal,
  ): Promise<UsageFound> {
    const project = await this.access.find(caller, request.project);
    // Also without a project: what is malformed should show before there is one.
    const statement = selectUsage(project?.id ?? 0, request);
    const read = await this.read(project, statement, includeCosts, signal);
    const totals = usageWithDescendants(read.calls);
    return { usage: new Map([...totals].map(([id, usage]) => [read.ids.get(id)!, usage])), unfinished: read.running };
  }

  private async read(
    project: ProjectRef | null,
    statement: Statement,
    includeCosts: boolean,
    signal: AbortSignal,
  ): Promise<ReadCalls> {
    const read: ReadCalls = { calls: [], ids: new Map(), running: [] };
    if (!project) return read;
    for await (const rows of this.reader.rows<UsageRow>(statement, signal)) {
      const costs = includeCosts ? await this.costs.ofCalls(project, rows) : undefined;
      for (const [i, row] of rows.entries()) {
        const id = originalText(row.id, row.long_texts);
        const usage = callUsage(row.summary, costs ? costs[i] : null);
        read.calls.push({ id: row.id, parentId: row.parent_id, scope: row.scope, usage });
        read.ids.set(row.id, id);
        if (row.running) read.running.push(id);
      }
    }
    return read;
  }
}
