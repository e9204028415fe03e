import { encodeText } from '@heddle/json';
import type { ProjectName } from '@heddle/projects';
import { jsonOperand } from '../query/json-operand.js';
import type { FeedbackField } from './call-field.js';
import { type EachOf, type Operand, stringOperand } from '../query/operand.js';
import { type QuerySql, searchableText } from '../query/query-sql.js';

export type FeedbackOperand = (field: FeedbackField, sql: QuerySql, project: ProjectName) => Operand;

const ANY_TYPE = '*';

/** In conditions: true of a call if it is true of any feedback of that type about it. */
export const anyFeedback: FeedbackOperand = (field, sql, project) => {
  const each = new FeedbackRows(aboutCall(field, sql, project), sql.newAlias('f'));
  const value = each.derived(columnOf(field, sql, each.alias));
  return { ...operandOf(field, value), isNull: each.allNull(textOf(field, value)), each };
};

/** In a sort: that of the newest feedback of the type. */
export const newestFeedback: FeedbackOperand = (field, sql, project) => {
  const value = sql.once(JSON.stringify(field), () => {
    const about = aboutCall(field, sql, project)('f');
    const column = columnOf(field, sql, 'f');
    return sql.derived(
      `(SELECT ${column} FROM feedback f WHERE ${about} ORDER BY f.created_at DESC, f.id DESC LIMIT 1)`,
    );
  });
  return operandOf(field, value);
};

const operandOf = (field: FeedbackField, value: string): Operand =>
  field.column === 'payload' ? jsonOperand(value) : stringOperand(value, 'encodeText');

/** A JSON null is as good as nothing. */
const textOf = (field: FeedbackField, value: string): string =>
  field.column === 'payload' ? `(${value} #>> '{}')` : value;

function columnOf({ column, path }: FeedbackField, sql: QuerySql, row: string): string {
  if (column !== 'payload') return `${row}.${column}`;
  const place = sql.constant(path.map(searchableText), 'text[]');
  return `COALESCE(${row}.payload_search, ${row}.payload)::json #> ${place}`;
}

function aboutCall({ type }: FeedbackField, sql: QuerySql, project: ProjectName): (row: string) => string {
  const call = sql.constant(encodeText(`weave:///${project.entity}/${project.project}/call/`), 'text');
  const wanted = type === ANY_TYPE ? undefined : sql.constant(encodeText(type), 'text');
  return (row) =>
    `${row}.project_id = c.project_id AND ${row}.weave_ref = ${call} || c.id` +
    (wanted === undefined ? '' : ` AND ${row}.feedback_type = ${wanted}`);
}

class FeedbackRows implements EachOf {
  private readonly laterals: string[] = [];

  constructor(
    private readonly about: (row: string) => string,
    readonly alias: string,
  ) {}

  any(condition: string): string {
    return this.all(`bool_or(${condition})`);
  }

  allNull(value: string): string {
    return `COALESCE(${this.all(`bool_and(${value} IS NULL)`)}, true)`;
  }

  /** As QuerySql.derived: worked out once for each row, however often it is mentioned. */
  derived(expression: string): string {
    const alias = `${this.alias}_${this.laterals.length}`;
    this.laterals.push(`CROSS JOIN LATERAL (SELECT ${expression} AS value OFFSET 0) AS ${alias}`);
    return `${alias}.value`;
  }

  private all(aggregate: string): string {
    const from = [`feedback ${this.alias}`, ...this.laterals].join(' ');
    return `(SELECT ${aggregate} FROM ${from} WHERE ${this.about(this.alias)})`;
  }
}
