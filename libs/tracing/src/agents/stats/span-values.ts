import { ValidationError } from '@heddle/http';
import type { FieldOf } from '../../query/expression.js';
import type { QuerySql } from '../../query/query-sql.js';
import { SPAN_FIELDS, spanColumn, spanFieldOf } from '../span-fields.js';
import { DURATION } from '../span-rows-sql.js';
import { customAttribute } from './custom-attribute-sql.js';
import type { GroupRef, StatsValueType, ValueRef } from './span-stats.schema.js';

type Loc = (string | number)[];

/** What is read of each span. */
export interface SpanValue {
  /** Of type float8, boolean, timestamptz or text; null where a span has none. */
  sql: string;
  type: StatsValueType;
  /** SQL: whether a span has one. */
  has: string;
  /** Whether spans above may state it once more, so that a sum has to choose. */
  stated?: boolean;
}

/** What a span says of its own, or else the agent or conversation that it is in. */
const IDENTITY: Readonly<Record<string, string>> = {
  agent_name: 'o.agent_name',
  agent_version: 'CASE WHEN o.id IS NULL THEN s.agent_version ELSE o.agent_version END',
  agent_id: 'CASE WHEN o.id IS NULL THEN s.agent_id ELSE o.agent_id END',
  conversation_id: 'COALESCE(s.conversation_id, k.conversation_id)',
};
const COSTS = ['total_cost_usd', 'input_cost_usd', 'output_cost_usd'];
const TOKENS = /_tokens$/;

const FIELD_TYPES = { number: 'number', time: 'datetime' } as const;
const CUSTOM_TYPES = {
  custom_attrs_string: 'string',
  custom_attrs_int: 'number',
  custom_attrs_float: 'number',
  custom_attrs_bool: 'boolean',
} as const;

/**
 * Fields, attributes and what is derived of them, as SQL over `spans s` and what {@link SpanValues.needs} says is joined:
 * `o`, whose agent a span is of, `k`, its trace's conversation, and `p`, what it cost.
 */
export class SpanValues {
  readonly needs = { identity: false, costs: false, attributes: false };

  constructor(private readonly sql: QuerySql) {}

  /** For conditions. */
  readonly field: FieldOf = spanFieldOf((column) => this.column(column));

  /** @throws ValidationError for what spans don't have */
  value({ source = 'field', key }: ValueRef, loc: Loc): SpanValue {
    if (source === 'derived') return this.derived(key, [...loc, 'key']);
    if (source !== 'field') {
      const sql = this.custom(source, key);
      return { sql, type: CUSTOM_TYPES[source], has: `${sql} IS NOT NULL` };
    }
    const column = spanColumn(key, [...loc, 'key']);
    const sql = this.column(column);
    const { type } = SPAN_FIELDS[column]!;
    if (type !== 'number' && type !== 'time') return { sql, type: 'string', has: 'true' };
    const stated = TOKENS.test(column);
    return { sql: type === 'number' ? `${sql}::float8` : sql, type: FIELD_TYPES[type], has: 'true', stated };
  }

  /** By which spans are grouped; a field is one `column`. */
  key({ source = 'field', key }: GroupRef, loc: Loc): { sql: string; type: StatsValueType; column?: string } {
    if (source !== 'field' && source !== 'column') return { sql: this.custom(source, key), type: CUSTOM_TYPES[source] };
    const column = spanColumn(key, [...loc, 'key']);
    const { type } = SPAN_FIELDS[column]!;
    return {
      sql: this.column(column),
      type: type === 'number' || type === 'time' ? FIELD_TYPES[type] : 'string',
      column,
    };
  }

  private column(column: string): string {
    const identity = IDENTITY[column];
    if (identity) this.needs.identity = true;
    return identity ?? `s.${column}`;
  }

  private custom(source: keyof typeof CUSTOM_TYPES, key: string): string {
    this.needs.attributes = true;
    return customAttribute(source, key, this.sql);
  }

  private derived(key: string, loc: Loc): SpanValue {
    if (COSTS.includes(key)) {
      this.needs.costs = true;
      return { sql: `p.${key}`, type: 'number', has: `p.${key} IS NOT NULL`, stated: true };
    }
    if (Object.hasOwn(DERIVED, key)) return DERIVED[key]!;
    const msg = `must be one of ${[...Object.keys(DERIVED), ...COSTS].join(', ')}`;
    throw ValidationError.at(loc, msg, 'unknown_field', key.slice(0, 100));
  }
}

const DERIVED: Readonly<Record<string, SpanValue>> = {
  duration_ms: { sql: `(${DURATION})`, type: 'number', has: 's.ended_at > s.started_at' },
  total_tokens: {
    sql: '(s.input_tokens + s.output_tokens + s.reasoning_tokens)::float8',
    type: 'number',
    has: 'true',
    stated: true,
  },
  is_error: { sql: `(s.status_code = 'ERROR')`, type: 'boolean', has: 'true' },
  is_invocation: { sql: `COALESCE(s.operation_name = 'invoke_agent', false)`, type: 'boolean', has: 'true' },
};
