import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import { agentSums, type AgentSums, type AgentSumsRow } from './agent-sums-sql.js';
import { AGENT_SORTS, DEFAULT_LIMIT, type QueryAgents, type QueryVersions } from './agents.schema.js';

interface Found {
  total: number;
  agents: (AgentSums & { project_id: string; total_cost_usd: null })[];
}

/** Agents, as their spans name them, and what they did. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly statements: StatementReader,
  ) {}

  agents(caller: Principal, request: QueryAgents, signal: AbortSignal): Promise<Found> {
    return this.find(caller, request, { agent: request.filters?.agent_name, byVersion: false }, signal);
  }

  versions(caller: Principal, request: QueryVersions, signal: AbortSignal): Promise<Found> {
    return this.find(caller, request, { agent: request.agent_name, byVersion: true }, signal);
  }

  private async find(
    caller: Principal,
    { project_id: projectId, sort_by, limit = DEFAULT_LIMIT, offset = 0 }: Omit<QueryAgents, 'filters'>,
    of: { agent?: string | null; byVersion: boolean },
    signal: AbortSignal,
  ): Promise<Found> {
    const project = await this.access.find(caller, parseProjectId(projectId));
    const order = orderOf(sort_by ?? [], of.byVersion);
    if (!project) return { total: 0, agents: [] };
    const rows: AgentSumsRow[] = [];
    const statement = agentSums(project.id, { ...of, order, limit, offset });
    for await (const page of this.statements.rows<AgentSumsRow>(statement, signal)) rows.push(...page);
    const agents = rows.filter((row): row is AgentSumsRow & AgentSums => row.agent_name !== null);
    return {
      total: rows[0]?.total ?? 0,
      agents: agents.map(({ total: _, ...sums }) => ({ ...sums, project_id: projectId, total_cost_usd: null })),
    };
  }
}

function orderOf(sortBy: NonNullable<QueryAgents['sort_by']>, byVersion: boolean): string[] {
  const terms = sortBy.map(({ field, direction = 'desc' }, i) => {
    const known = (AGENT_SORTS as readonly string[]).includes(field) && (byVersion || field !== 'agent_version');
    if (known) return `f.${field} ${direction}`;
    const msg = `must be one of ${AGENT_SORTS.join(', ')}`;
    throw ValidationError.at(['body', 'sort_by', i, 'field'], msg, 'unknown_field', field.slice(0, 100));
  });
  return [
    ...(terms.length > 0 ? terms : ['f.last_seen desc']),
    'f.agent_name',
    ...(byVersion ? ['f.agent_version'] : []),
  ];
}
