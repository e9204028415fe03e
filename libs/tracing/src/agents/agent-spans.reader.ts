import { Injectable } from '@nestjs/common';
import { type JsonNode } from '@heddle/json';
import type { ProjectRef } from '@heddle/projects';
import { CostsService } from '../costs/costs.service.js';
import { conditionOf } from '../query/expression.js';
import { QuerySql } from '../query/query-sql.js';
import { StatementReader } from '../query/statement.reader.js';
import { isoTime, timeLiteral } from '../query/time-literal.js';
import { agentSpan, type SpanRow } from './agent-span.js';
import type { CostedSpan } from './chat-view.js';
import { SPAN_FIELDS, spanField } from './span-fields.js';
import { spanRows } from './span-rows-sql.js';

export interface SpanQuery {
  /** Conditions on `calls c`. */
  where?: (sql: QuerySql) => string[];
  /** A body with a `query`. */
  body?: JsonNode;
  /** ORDER BY terms over `s`; the oldest first without. */
  order?: (sql: QuerySql) => string[];
  limit?: number;
  offset?: number;
  /** With payloads and attributes, and the span as it came. */
  details?: boolean;
}

const DETAILS = ['attributes', 'inputs', 'output', 'otel_dump'] as const;

/** Spans out of the calls of a project. */
@Injectable()
export class AgentSpansReader {
  constructor(
    private readonly statements: StatementReader,
    private readonly costs: CostsService,
  ) {}

  async *pages(projectId: number, query: SpanQuery, signal: AbortSignal): AsyncGenerator<SpanRow[]> {
    const sql = new QuerySql();
    const columns = ['summary', ...(query.details ? DETAILS : [])];
    const rows = spanRows(projectId, sql, { columns, where: query.where?.(sql) ?? [] });
    const condition = (query.body && conditionOf(query.body, sql, spanField)) ?? 'true';
    const order = query.order?.(sql) ?? ['s.started_at', 's.span_id'];
    const page = `LIMIT ${sql.bind(query.limit ?? null, 'integer')} OFFSET ${sql.bind(query.offset ?? 0, 'integer')}`;
    const text = `SELECT ${[...SHOWN, ...columns.map((name) => `s.${name}`)].join(', ')} FROM ${rows} s ${sql.joins()}
      WHERE ${condition} ORDER BY ${order.join(', ')} ${page}`;
    yield* this.statements.rows<SpanRow>({ text, values: sql.values }, signal);
  }

  async all(projectId: number, query: SpanQuery, signal: AbortSignal): Promise<SpanRow[]> {
    const all: SpanRow[] = [];
    for await (const rows of this.pages(projectId, query, signal)) all.push(...rows);
    return all;
  }

  async count(projectId: number, query: Pick<SpanQuery, 'where' | 'body'>, signal: AbortSignal): Promise<number> {
    const sql = new QuerySql();
    const rows = spanRows(projectId, sql, { where: query.where?.(sql) ?? [] });
    const condition = (query.body && conditionOf(query.body, sql, spanField)) ?? 'true';
    const text = `SELECT count(*)::int AS count FROM ${rows} s ${sql.joins()} WHERE ${condition}`;
    return this.statements.count({ text, values: sql.values }, signal);
  }

  /** As they leave, with what they cost where that is asked for; null where no price is known. */
  async costed(project: ProjectRef, rows: SpanRow[], priced: boolean): Promise<CostedSpan[]> {
    const calls = rows.map(({ started_at, summary }) => ({ started_at, summary: summary ?? null }));
    const costs = priced ? await this.costs.ofCalls(project, calls) : [];
    return rows.map((row, i) => ({ ...agentSpan(row), ...costOf(costs[i]) }));
  }
}

const SHOWN = [
  ...Object.entries(SPAN_FIELDS).map(([name, { type }]) =>
    type === 'time' ? `${isoTime(`s.${name}`)} AS ${name}` : `s.${name}`,
  ),
  's.long_texts',
];

/** SQL over `calls c`: started at or after the one, and before the other. */
export function between(after: string | undefined, before: string | undefined): (sql: QuerySql) => string[] {
  const literal = (text: string, name: string, sql: QuerySql): string => timeLiteral(text, sql, ['body', name]);
  return (sql) => [
    ...(after === undefined ? [] : [`c.started_at >= ${literal(after, 'started_after', sql)}`]),
    ...(before === undefined ? [] : [`c.started_at < ${literal(before, 'started_before', sql)}`]),
  ];
}

const INPUT_COSTS = [
  'prompt_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
];

function costOf(costs: Buffer | undefined): Pick<CostedSpan, 'input_cost_usd' | 'output_cost_usd' | 'total_cost_usd'> {
  if (!costs) return { input_cost_usd: null, output_cost_usd: null, total_cost_usd: null };
  const models = Object.values(JSON.parse(costs.toString()) as Record<string, Record<string, number>>);
  const sum = (names: string[]): number =>
    models.reduce((total, model) => names.reduce((part, name) => part + (model[name] ?? 0), total), 0);
  const [input, output] = [sum(INPUT_COSTS), sum(['completion_tokens_total_cost'])];
  return { input_cost_usd: input, output_cost_usd: output, total_cost_usd: input + output };
}
