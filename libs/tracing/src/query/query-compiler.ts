import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { compare, contains, isIn } from './comparison.js';
import { readLiteral } from './literal.js';
import { booleanOperand, convertOperand, literalOperand, ofAny, type Operand, sizeOperand } from './operand.js';
import type { QuerySql } from './query-sql.js';

/** Operators within operators. */
export const MAX_QUERY_DEPTH = 32;
/** Operators, fields and literals of a query; the elements of `$in` have a limit of their own. */
export const MAX_QUERY_NODES = 1000;
export const MAX_IN_ELEMENTS = 10_000;

const COMPARATORS = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const;
const CONDITIONS = ['$and', '$or', '$not', '$in', '$contains', ...Object.keys(COMPARATORS)];

type Loc = (string | number)[];

/**
 * Turns the `$expr` of a query into an SQL condition, which selects a row if it is true (not null). Names and values of
 * the query become parameters; of its text, nothing reaches the SQL.
 */
export class QueryCompiler {
  private nodes = 0;

  /** @param field what a field's name stands for; throws a ValidationError for one that isn't there */
  constructor(
    private readonly sql: QuerySql,
    private readonly field: (name: string, loc: Loc) => Operand,
  ) {}

  /** @throws ValidationError at the place in the query that is unknown, malformed or beyond the limits */
  condition(node: JsonNode, loc: Loc, depth = 1): string {
    const [operator, argument] = this.enter(node, loc, depth);
    const at = [...loc, operator];
    switch (operator) {
      case '$and':
        return `(${this.conditions(argument, at, depth).join(' AND ') || 'true'})`;
      case '$or':
        return `(${this.conditions(argument, at, depth).join(' OR ') || 'false'})`;
      case '$not':
        // Of what is unknown the opposite is unknown, too: not (x > 5) finds no call without x.
        return `(NOT (${this.condition(elements(argument, at, 1)[0]!, [...at, 0], depth + 1)}))`;
      case '$eq':
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte': {
        const [left, right] = elements(argument, at, 2).map((item, i) => this.operand(item, [...at, i], depth + 1));
        return compare(left!, COMPARATORS[operator], right!);
      }
      case '$in':
        return this.in(argument, at, depth);
      case '$contains':
        return this.contains(argument, at, depth);
      default: {
        const value = this.value(operator, argument, at, depth);
        if (!value.views.boolean) throw ValidationError.at(loc, 'must be a condition', 'not_a_condition');
        return ofAny(value.views.boolean(value.form), value);
      }
    }
  }

  private operand(node: JsonNode, loc: Loc, depth: number): Operand {
    if (!CONDITIONS.some((operator) => node.get(operator))) {
      const [operator, argument] = this.enter(node, loc, depth);
      return this.value(operator, argument, [...loc, operator], depth);
    }
    return booleanOperand(this.sql.derived(`(${this.condition(node, loc, depth)}) IS TRUE`));
  }

  private value(operator: string, argument: JsonNode, loc: Loc, depth: number): Operand {
    switch (operator) {
      case '$literal':
        return literalOperand(readLiteral(argument, loc), this.sql, loc);
      case '$getField':
        return this.field(nameOf(argument, loc), loc);
      case '$convert':
        return this.convert(argument, loc, depth);
      case '$size':
        return sizeOperand(this.operand(argument, loc, depth + 1), this.sql);
      default:
        throw ValidationError.at(loc, 'There is no such operator', 'unknown_operator');
    }
  }

  private enter(node: JsonNode, loc: Loc, depth: number): [string, JsonNode] {
    if (depth > MAX_QUERY_DEPTH)
      throw ValidationError.at(loc, `deeper than ${MAX_QUERY_DEPTH} levels`, 'query_too_deep');
    if (++this.nodes > MAX_QUERY_NODES) {
      throw ValidationError.at(loc, `more than ${MAX_QUERY_NODES} operators, fields and literals`, 'query_too_large');
    }
    const members = [...node.entries()];
    if (members.length !== 1) throw ValidationError.at(loc, 'must be an object with one operator', 'operator');
    return members[0]!;
  }

  private convert(argument: JsonNode, loc: Loc, depth: number): Operand {
    const input = this.operand(member(argument, 'input', loc), [...loc, 'input'], depth + 1);
    const converted = convertOperand(input, member(argument, 'to', loc).string() ?? '', this.sql);
    if (converted) return converted;
    throw ValidationError.at([...loc, 'to'], 'must be double, string, int, bool or exists', 'enum_error');
  }

  private in(argument: JsonNode, loc: Loc, depth: number): string {
    const [left, list] = elements(argument, loc, 2);
    const at = [...loc, 1];
    const input = this.operand(left!, [...loc, 0], depth + 1);
    // Both [{$literal: 1}, ...] and {$literal: [1, ...]} are in use.
    const bare = list!.get('$literal');
    const items = [...(bare ?? list!).items()];
    if ((bare ?? list!).kind !== 'array') throw ValidationError.at(at, 'must be a list', 'list_type');
    if (items.length > MAX_IN_ELEMENTS)
      throw ValidationError.at(at, `more than ${MAX_IN_ELEMENTS} elements`, 'too_long');
    const places = items.map((item, i) => ({ item: bare ? item : item.get('$literal'), i }));
    const literals = places.flatMap(({ item, i }) => (item ? [readLiteral(item, [...at, i])] : []));
    const others = places.flatMap(({ item, i }) => (item ? [] : [this.operand(items[i]!, [...at, i], depth + 1)]));
    return isIn(input, literals, others, this.sql, at);
  }

  private contains(argument: JsonNode, loc: Loc, depth: number): string {
    const input = this.operand(member(argument, 'input', loc), [...loc, 'input'], depth + 1);
    const substring = this.operand(member(argument, 'substr', loc), [...loc, 'substr'], depth + 1);
    return contains(input, substring, argument.get('case_insensitive')?.boolean() ?? false);
  }

  private conditions(argument: JsonNode, loc: Loc, depth: number): string[] {
    return elements(argument, loc).map((item, i) => this.condition(item, [...loc, i], depth + 1));
  }
}

function nameOf(node: JsonNode, loc: Loc): string {
  const name = node.string();
  if (name === undefined) throw ValidationError.at(loc, 'must be a field name', 'string_type');
  return name;
}

function member(node: JsonNode, name: string, loc: Loc): JsonNode {
  const found = node.get(name);
  if (!found) throw ValidationError.at([...loc, name], `${name} is required`, 'missing');
  return found;
}

function elements(node: JsonNode, loc: Loc, count?: number): JsonNode[] {
  const items = [...node.items()];
  if (node.kind === 'array' && (count === undefined || items.length === count)) return items;
  throw ValidationError.at(loc, count === undefined ? 'must be a list' : `must be a list of ${count}`, 'list_type');
}
