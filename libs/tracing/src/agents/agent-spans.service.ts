import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { sortOf } from '../query/expression.js';
import { StatementReader } from '../query/statement.reader.js';
import { timeLiteral } from '../query/time-literal.js';
import { NotBuiltError } from '../unbuilt/unbuilt.errors.js';
import { AgentSpansReader, between } from './agent-spans.reader.js';
import { DEFAULT_LIMIT, type QuerySpans } from './agents.schema.js';
import { shownKey } from './group-key.js';
import { spanColumn, spanField } from './span-fields.js';
import { GROUP_SUMS, spanGroups } from './span-groups-sql.js';
import { typedAttributes } from './typed-attributes.js';

interface Found {
  spans: object[];
  groups: object[];
  total_count: number;
}

type GroupRow = Record<string, unknown> & { total: number; long_texts: Record<string, string> | null };

/** What spans/query may ask for and isn't worked out here. */
const UNBUILT = ['measures', 'group_filters', 'group_distributions', 'custom_attr_columns', 'insight_filters'];

/** Spans as such, or summed up by what they have in common. */
@Injectable()
export class AgentSpansService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: AgentSpansReader,
    private readonly statements: StatementReader,
  ) {}

  async query(caller: Principal, request: QuerySpans, body: JsonNode, signal: AbortSignal): Promise<Found> {
    refuseUnbuilt(body);
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    if (request.group_by?.length) {
      const found = await this.groups(project?.id ?? 0, request, body, signal);
      return { spans: [], ...found };
    }
    const { started_after: after, started_before: before, include_details: details = false } = request;
    const where = between(after, before);
    const order = (request.sort_by ?? []).map(({ field, direction = 'desc' as const }) => ({ field, direction }));
    const rows = await this.reader.all(
      project?.id ?? 0,
      {
        where,
        body,
        order: () => [...(order.length > 0 ? sortOf(order, spanField) : ['s.started_at DESC']), 's.span_id'],
        limit: request.limit ?? DEFAULT_LIMIT,
        offset: request.offset ?? 0,
        details,
      },
      signal,
    );
    if (!project) return { spans: [], groups: [], total_count: 0 };
    const spans = await this.reader.costed(project, rows, request.include_costs ?? false);
    return {
      spans: spans.map((span, i) => ({
        project_id: request.project_id,
        ...span,
        ...(details ? { raw_span_dump: dumpOf(rows[i]!.otel_dump), ...typedAttributes(rows[i]!.attributes) } : {}),
      })),
      groups: [],
      total_count: await this.reader.count(project.id, { where, body }, signal),
    };
  }

  private async groups(projectId: number, request: QuerySpans, body: JsonNode, signal: AbortSignal) {
    if (request.include_costs) throw new NotBuiltError('include_costs with group_by');
    if (request.include_details)
      throw ValidationError.at(['body', 'include_details'], 'goes without group_by only', 'conflict');
    const refs = request.group_by!.map(({ key, alias }, i) => {
      const column = spanColumn(key, ['body', 'group_by', i, 'key']);
      return { column, alias: alias ?? column };
    });
    const columns = refs.map(({ column }) => column);
    const { started_after: after, started_before: before } = request;
    const statement = spanGroups(
      projectId,
      body,
      (sql) => [
        ...(after === undefined ? [] : [`s.started_at >= ${timeLiteral(after, sql, ['body', 'started_after'])}`]),
        ...(before === undefined ? [] : [`s.started_at < ${timeLiteral(before, sql, ['body', 'started_before'])}`]),
      ],
      {
        columns,
        order: groupOrder(request.sort_by ?? [], refs),
        limit: request.limit ?? DEFAULT_LIMIT,
        offset: request.offset ?? 0,
      },
    );
    const rows: GroupRow[] = [];
    for await (const page of this.statements.rows<GroupRow>(statement, signal)) rows.push(...page);
    const groups = rows.filter((row) => row['span_count'] !== null).map((row) => groupOf(row, refs));
    return { groups, total_count: rows[0]?.total ?? 0 };
  }
}

interface KeyRef {
  column: string;
  alias: string;
}

function groupOf(row: GroupRow, refs: KeyRef[]): object {
  const { total: _total, long_texts: longTexts, first, last, ...sums } = row;
  const keys = refs.map(({ column, alias }, i): [string, unknown] => [
    alias,
    shownKey(row[`key_${i}`], column, longTexts),
  ]);
  const shown = Object.entries(sums).filter(([name]) => !name.startsWith('key_'));
  return {
    group_keys: Object.fromEntries(keys),
    ...Object.fromEntries(shown.map(([name, value]) => [name, name.endsWith('s') && value === null ? [] : value])),
    first_seen: first,
    last_seen: last,
  };
}

function groupOrder(sortBy: NonNullable<QuerySpans['sort_by']>, refs: KeyRef[]): string[] {
  const terms = sortBy.map(({ field, direction = 'desc' }, i) => {
    const key = refs.findIndex(({ alias, column }) => field === alias || field === column);
    if (key >= 0) return `key_${key} ${direction} NULLS LAST`;
    if ((GROUP_SUMS as readonly string[]).includes(field)) return `${field} ${direction} NULLS LAST`;
    throw ValidationError.at(['body', 'sort_by', i, 'field'], 'Groups have no such field', 'unknown_field', field);
  });
  const keys = refs.map((_, i) => `key_${i} NULLS LAST`);
  return [...(terms.length > 0 ? terms : ['last_seen DESC']), ...keys];
}

function refuseUnbuilt(body: JsonNode): void {
  for (const name of UNBUILT) if (body.get(name)?.childCount) throw new NotBuiltError(`${name} of spans`);
  const signals = body.get('signal_filters');
  if (signals?.get('tags')?.childCount || signals?.get('ratings')?.childCount)
    throw new NotBuiltError('signal_filters of spans');
}

/** The span as JSON; of one that came as protobuf there is no text. */
function dumpOf(dump: string | null | undefined): string | null {
  return dump?.startsWith('{') ? dump : null;
}
