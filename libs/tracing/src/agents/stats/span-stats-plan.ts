import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { conditionOf } from '../../query/expression.js';
import type { QuerySql } from '../../query/query-sql.js';
import { timeLiteral } from '../../query/time-literal.js';
import { numberBuckets } from './check-span-stats.js';
import { aggregateOf, columnsOf, resultType, type StatsColumn } from './span-aggregates.js';
import type {
  GroupRef,
  QuerySpanStats,
  SpanGroupFilter,
  SpanMeasure,
  StatsValueType,
  ValueRef,
} from './span-stats.schema.js';
import { type SpanValue, SpanValues } from './span-values.js';

type Loc = (string | number)[];

export interface StatsKey {
  /** Of {@link StatsPlan.selected}. */
  name: string;
  alias: string;
  type: StatsValueType;
  /** Of spans; an attribute is none. */
  column?: string;
}

/** Groups, by the names of their keys, and what must be true of each: SQL over aggregates. */
export interface GroupCondition {
  keys: string[];
  having: string;
}

const COUNT: StatsColumn = {
  ...{ name: 'count', metric: 'rows', aggregation: 'count', value_type: 'number', sql: 'count(*)', empty: 0 },
};
const CONVERSATIONS: GroupRef[] = [{ key: 'conversation_id' }];

/** A request in the words of SQL: what to read of each span, and what to make of the rows. */
export class StatsPlan {
  /** With its name; see `spanSource`. */
  readonly selected: string[] = [];
  readonly values: SpanValues;
  readonly condition: string;
  readonly keys: StatsKey[];
  readonly columns: StatsColumn[];
  readonly filters: GroupCondition[];
  /** What is laid into ranges: a value of each span, by whether it has one, or a measure of groups by these keys. */
  readonly ranged: { value: string; has: string } | { measure: string; keys: string[] } | undefined;

  /** @throws ValidationError for what spans don't have, and what can't be worked out of it */
  constructor(
    request: QuerySpanStats,
    private readonly body: JsonNode,
    private readonly sql: QuerySql,
  ) {
    this.values = new SpanValues(sql);
    this.condition = conditionOf(body, sql, this.values.field) ?? 'true';
    this.keys = this.keysOf(request.group_by ?? [], ['body', 'group_by']);
    const numbers = numberBuckets(request);
    this.ranged = numbers && this.rangedBy(numbers, ['body', 'bucket_by']);
    const usual = numbers?.group_by?.length ? numbers.group_by : CONVERSATIONS;
    this.filters = (request.group_filters ?? []).map((filter, i) =>
      this.filterOf(filter, usual, ['body', 'group_filters', i]),
    );
    const columns = (request.metrics ?? []).flatMap((metric, i) => {
      const loc = ['body', 'metrics', i];
      const value = this.valueOf(metric.value, metric.value_type, loc);
      return columnsOf(metric, value, this.select(value), sql, loc);
    });
    this.columns = columns.length > 0 ? columns : [COUNT];
    const names = [...this.keys.map(({ alias }) => alias), ...this.columns.map(({ name }) => name)];
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      const msg = `two columns would be called ${twice.slice(0, 100)}`;
      throw ValidationError.at(['body', 'metrics'], msg, 'duplicate');
    }
  }

  private select({ sql, has }: SpanValue): { value: string; has: string } {
    const names = { value: `v${this.selected.length}`, has: `v${this.selected.length + 1}` };
    this.selected.push(`${sql} AS ${names.value}`, `(${has}) AS ${names.has}`);
    return names;
  }

  private keysOf(refs: readonly GroupRef[], loc: Loc): StatsKey[] {
    return refs.map((ref, i) => {
      const { sql, type, column } = this.values.key(ref, [...loc, i]);
      const name = `v${this.selected.length}`;
      this.selected.push(`${sql} AS ${name}`);
      return { name, type, alias: ref.alias ?? column ?? ref.key, ...(column === undefined ? {} : { column }) };
    });
  }

  private valueOf(ref: ValueRef, expected: StatsValueType | null | undefined, loc: Loc): SpanValue {
    const value = this.values.value(ref, [...loc, 'value']);
    if (expected == null || expected === value.type) return value;
    throw ValidationError.at([...loc, 'value_type'], `${ref.key} is a ${value.type}`, 'wrong_type', expected);
  }

  private rangedBy(
    { value, group_by: groupBy = [], measure }: NonNullable<ReturnType<typeof numberBuckets>>,
    loc: Loc,
  ): NonNullable<StatsPlan['ranged']> {
    if (value) return this.select(this.valueOf(value, 'number', loc));
    const keys = this.keysOf(groupBy, [...loc, 'group_by']).map(({ name }) => name);
    const { sql, type } = this.measureOf(measure!, this.body.get('bucket_by'), [...loc, 'measure']);
    if (type === 'number') return { measure: sql, keys };
    throw ValidationError.at([...loc, 'measure'], 'must be a number', 'wrong_type');
  }

  private filterOf({ group_by: by, measure, min, max }: SpanGroupFilter, usual: GroupRef[], loc: Loc): GroupCondition {
    const keys = this.keysOf(by?.length ? by : usual, [...loc, 'group_by']).map(({ name }) => name);
    const node = [...(this.body.get('group_filters')?.items() ?? [])][Number(loc.at(-1))];
    const { sql, type } = this.measureOf(measure, node, [...loc, 'measure']);
    if (min == null && max == null) throw ValidationError.at(loc, 'needs min or max', 'missing');
    const bound = (value: number | string, name: string): string => {
      if (type === 'datetime' && typeof value === 'string') return timeLiteral(value, this.sql, [...loc, name]);
      if (type === 'number' && typeof value === 'number') return this.sql.bind(value, 'float8');
      throw ValidationError.at([...loc, name], `must be a ${type}, as the measure is`, 'wrong_type');
    };
    const conditions = [
      ...(min == null ? [] : [`(${sql}) >= ${bound(min, 'min')}`]),
      ...(max == null ? [] : [`(${sql}) <= ${bound(max, 'max')}`]),
    ];
    return { keys, having: conditions.join(' AND ') };
  }

  /** @param parent what holds the `measure`, for its filter */
  private measureOf(
    { aggregation, value: ref, value_type: expected }: SpanMeasure,
    parent: JsonNode | undefined,
    loc: Loc,
  ): { sql: string; type: StatsValueType } {
    if (!ref && aggregation !== 'count') throw ValidationError.at([...loc, 'value'], 'value is required', 'missing');
    const value = ref ? this.valueOf(ref, expected, loc) : { sql: 'true', type: 'boolean' as const, has: 'true' };
    const node = parent?.get('measure');
    const filter = node && conditionOf(node, this.sql, this.values.field, [...loc, 'filter']);
    const has = filter ? `(${value.has}) AND (${filter})` : value.has;
    const columns = this.select({ ...value, has });
    return {
      sql: aggregateOf(aggregation, value, columns, [...loc, 'aggregation']),
      type: resultType(aggregation, value.type),
    };
  }
}
