import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { QueryCompiler } from './query-compiler.js';
import type { Operand } from './operand.js';
import type { QuerySql } from './query-sql.js';
import { sortTerms } from './json-operand.js';

export type FieldOf = (name: string, loc: (string | number)[]) => Operand;

/**
 * The condition of a body's `query: {$expr}`, or undefined where there is none.
 * @param at where else it is than in the body's `query`
 */
export function conditionOf(
  body: JsonNode,
  sql: QuerySql,
  fieldOf: FieldOf,
  at: (string | number)[] = ['body', 'query'],
): string | undefined {
  const query = body.get(String(at.at(-1)));
  if (!query || query.kind === 'null') return undefined;
  const expression = query.get('$expr');
  const loc = [...at, '$expr'];
  if (!expression) throw ValidationError.at(loc, '$expr is required', 'missing');
  return new QueryCompiler(sql, fieldOf).condition(expression, loc);
}

/** ORDER BY terms of a body's `sort_by`. */
export function sortOf(sortBy: { field: string; direction: 'asc' | 'desc' }[], fieldOf: FieldOf): string[] {
  return sortBy.flatMap(({ field, direction }, i) =>
    sortTerms(fieldOf(field, ['body', 'sort_by', i, 'field']), direction),
  );
}
