import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';

const LOC = ['body', 'split'];
/** Room for a metric's name after it in the run's history, which takes 256 characters. */
const MAX_LENGTH = 64;

/** The `split` of a body: `train`, `val`, or whatever its user calls it. @throws ValidationError */
export function readSplit(body: JsonNode): string {
  const node = body.get('split');
  if (!node || node.kind === 'null') throw ValidationError.at(LOC, 'split is required', 'missing');
  const split = node.string();
  if (split === undefined) throw ValidationError.at(LOC, 'must be a string', 'string_type');
  if (split.length > 0 && split.length <= MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(split)) return split;
  throw ValidationError.at(LOC, `must have 1 to ${MAX_LENGTH} printable characters`, 'split');
}
