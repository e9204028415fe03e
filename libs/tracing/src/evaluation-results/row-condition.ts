import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { numberOf, rowField, type FieldReader, type RowValue, textOf } from './row-values.js';

type Loc = (string | number)[];

/** What a field of the row in question is. */
export type ValueOf = (field: FieldReader) => RowValue;
/** Of what is missing, a comparison is neither true nor false. */
export type RowCondition = (valueOf: ValueOf) => boolean | undefined;
type Operand = (valueOf: ValueOf) => RowValue;

const MAX_DEPTH = 32;
const MAX_NODES = 1000;

/**
 * The conditions of the calls' query language over rows of evaluations, which are in memory: the same operators, for
 * values that a comparison takes for whatever it compares them with.
 * @throws ValidationError at the place that is unknown, malformed or beyond the limits
 */
export function rowCondition(expression: JsonNode | undefined, loc: Loc): RowCondition {
  if (!expression) throw ValidationError.at(loc, '$expr is required', 'missing');
  return new Reader().condition(expression, loc, 1);
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  $eq: (order) => order === 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

class Reader {
  private nodes = 0;

  condition(node: JsonNode, loc: Loc, depth: number): RowCondition {
    const [operator, argument] = this.enter(node, loc, depth);
    const at = [...loc, operator];
    const all = (count?: number): JsonNode[] => elements(argument, at, count);
    switch (operator) {
      case '$and': {
        const parts = all().map((item, i) => this.condition(item, [...at, i], depth + 1));
        return (of) => parts.every((part) => part(of) === true);
      }
      case '$or': {
        const parts = all().map((item, i) => this.condition(item, [...at, i], depth + 1));
        return (of) => parts.some((part) => part(of) === true);
      }
      case '$not': {
        const part = this.condition(all(1)[0]!, [...at, 0], depth + 1);
        return (of) => {
          const known = part(of);
          return known === undefined ? undefined : !known;
        };
      }
      case '$in': {
        const [left, list] = all(2);
        const value = this.operand(left!, [...at, 0], depth + 1);
        const bare = list!.get('$literal');
        const items = elements(bare ?? list!, [...at, 1]).map((item, i) =>
          bare ? constant(item, [...at, 1, i]) : this.operand(item, [...at, 1, i], depth + 1),
        );
        return (of) => {
          const found = value(of);
          return found === undefined ? undefined : items.some((item) => order(found, item(of)) === 0);
        };
      }
      case '$contains': {
        const [input, part] = ['input', 'substr'].map((name) => this.member(argument, name, at, depth));
        const fold = argument.get('case_insensitive')?.boolean() === true;
        return (of) => {
          const [text, wanted] = [textOf(input!(of)), textOf(part!(of))];
          if (text === undefined || wanted === undefined) return undefined;
          return fold ? text.toLowerCase().includes(wanted.toLowerCase()) : text.includes(wanted);
        };
      }
      default:
        return this.comparison(operator, argument, loc, depth);
    }
  }

  private comparison(operator: string, argument: JsonNode, loc: Loc, depth: number): RowCondition {
    const at = [...loc, operator];
    const holds = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
    if (!holds) {
      const value = this.value(operator, argument, at, depth);
      return (of) => asBoolean(value(of));
    }
    const nodes = elements(argument, at, 2);
    const [left, right] = nodes.map((item, i) => this.operand(item, [...at, i], depth + 1));
    const isNull = operator === '$eq' && nodes.some((item) => item.get('$literal')?.kind === 'null');
    if (isNull) return (of) => left!(of) === undefined && right!(of) === undefined;
    return (of) => {
      const found = order(left!(of), right!(of));
      return found === undefined ? undefined : holds(found);
    };
  }

  private operand(node: JsonNode, loc: Loc, depth: number): Operand {
    const [operator, argument] = this.enter(node, loc, depth);
    return this.value(operator, argument, [...loc, operator], depth);
  }

  private value(operator: string, argument: JsonNode, loc: Loc, depth: number): Operand {
    if (operator === '$literal') return constant(argument, loc);
    if (operator === '$getField') return fieldOf(argument, loc);
    if (operator === '$size') {
      const input = this.operand(argument, loc, depth + 1);
      return (of) => sizeOf(input(of));
    }
    if (operator !== '$convert') throw ValidationError.at(loc, 'There is no such operator', 'unknown_operator');
    const input = this.member(argument, 'input', loc, depth);
    const to = argument.get('to')?.string() ?? '';
    const convert = Object.hasOwn(CONVERSIONS, to) ? CONVERSIONS[to] : undefined;
    if (convert) return (of) => convert(input(of));
    throw ValidationError.at([...loc, 'to'], 'must be double, string, int, bool or exists', 'enum_error');
  }

  private member(argument: JsonNode, name: string, loc: Loc, depth: number): Operand {
    const node = argument.get(name);
    if (!node) throw ValidationError.at([...loc, name], `${name} is required`, 'missing');
    return this.operand(node, [...loc, name], depth + 1);
  }

  private enter(node: JsonNode, loc: Loc, depth: number): [string, JsonNode] {
    if (depth > MAX_DEPTH) throw ValidationError.at(loc, `deeper than ${MAX_DEPTH} levels`, 'query_too_deep');
    if (++this.nodes > MAX_NODES)
      throw ValidationError.at(loc, `more than ${MAX_NODES} operators, fields and literals`, 'query_too_large');
    const members = [...node.entries()];
    if (members.length !== 1) throw ValidationError.at(loc, 'must be an object with one operator', 'operator');
    return members[0]!;
  }
}

const CONVERSIONS: Readonly<Record<string, (value: RowValue) => RowValue>> = {
  double: numberOf,
  int: (value) => {
    const number = numberOf(value);
    return number === undefined ? undefined : Math.trunc(number);
  },
  string: textOf,
  bool: asBoolean,
  exists: (value) => value !== undefined,
};

function fieldOf(node: JsonNode, loc: Loc): Operand {
  const field = rowField(node.string() ?? '');
  if (field) return (of) => of(field);
  throw ValidationError.at(loc, 'must be scores.*, inputs.*, output.* or row_digest', 'unknown_field');
}

function constant(node: JsonNode, loc: Loc): Operand {
  if (node.kind === 'object' || node.kind === 'array')
    throw ValidationError.at(loc, 'must be a string, a number, a boolean or null', 'literal_type');
  const value = (node.string() ?? node.number() ?? node.boolean()) as RowValue;
  return () => value;
}

function elements(node: JsonNode, loc: Loc, count?: number): JsonNode[] {
  const items = [...node.items()];
  if (node.kind === 'array' && (count === undefined || items.length === count)) return items;
  throw ValidationError.at(loc, count === undefined ? 'must be a list' : `must be a list of ${count}`, 'list_type');
}

/** Less than, more than or 0; undefined for what can't be compared. With a number or a boolean, as numbers. */
function order(left: RowValue, right: RowValue): number | undefined {
  const numeric = [left, right].some((value) => typeof value === 'number' || typeof value === 'boolean');
  const [a, b] = numeric ? [asNumber(left), asNumber(right)] : [textOf(left), textOf(right)];
  if (a === undefined || b === undefined) return undefined;
  return a === b ? 0 : a < b ? -1 : 1;
}

const asNumber = (value: RowValue): number | undefined =>
  numberOf(value === 'true' ? true : value === 'false' ? false : value);

function asBoolean(value: RowValue): boolean | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : number !== 0;
}

function sizeOf(value: RowValue): number | undefined {
  if (typeof value === 'object') return value.size;
  return typeof value === 'string' ? [...value].length : undefined;
}
