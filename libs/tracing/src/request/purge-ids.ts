import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';

/** Ids in one purge. */
export const MAX_PURGED = 10_000;

type Loc = (string | number)[];

/**
 * The ids that a purge's `query: {$expr}` names: `$eq` or `$in` of the field `id`, or an `$or` of such. Nothing else deletes,
 * since a condition that is true of more than was meant (`{"$and": []}` is true of everything) can't be taken back.
 * @throws ValidationError at the place in the query that names no ids
 */
export function idsToPurge(body: JsonNode): string[] {
  const query = body.get('query');
  if (!query || query.kind === 'null') throw ValidationError.at(['body', 'query'], 'query is required', 'missing');
  const loc = ['body', 'query', '$expr'];
  const expression = query.get('$expr');
  if (!expression) throw ValidationError.at(loc, '$expr is required', 'missing');
  const alternatives = expression.get('$or');
  const parts = alternatives ? [...alternatives.items()] : [expression];
  if (parts.length === 0) throw notIds(loc);
  const ids = parts.flatMap((part, i) => idsIn(part, alternatives ? [...loc, '$or', i] : loc));
  if (ids.length > MAX_PURGED) throw ValidationError.at(loc, `more than ${MAX_PURGED} ids`, 'too_long');
  return ids;
}

function idsIn(node: JsonNode, loc: Loc): string[] {
  const members = [...node.entries()];
  const [operator, argument] = members[0] ?? [];
  const [left, right, ...more] = [...(argument?.items() ?? [])];
  if (members.length !== 1 || !left || !right || more.length > 0) throw notIds(loc);
  const at = [...loc, operator!];
  if (operator === '$eq' && isId(left)) return [idOf(right.get('$literal'), [...at, 1])];
  if (operator === '$eq' && isId(right)) return [idOf(left.get('$literal'), [...at, 0])];
  if (operator !== '$in' || !isId(left)) throw notIds(loc);
  // Both [{$literal: 'a'}, ...] and {$literal: ['a', ...]} are in use.
  const bare = right.get('$literal');
  const items = [...(bare ?? right).items()];
  if (items.length === 0) throw notIds([...at, 1]);
  return items.map((item, i) => idOf(bare ? item : item.get('$literal'), [...at, 1, i]));
}

const isId = (node: JsonNode): boolean => node.get('$getField')?.string() === 'id';

function idOf(literal: JsonNode | undefined, loc: Loc): string {
  const id = literal?.string();
  if (id === undefined) throw notIds(loc);
  return id;
}

const notIds = (loc: Loc): ValidationError =>
  ValidationError.at(loc, 'A purge names ids: $eq or $in of the field id, or an $or of such', 'purge_by_id');
