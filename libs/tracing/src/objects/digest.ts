import { createHash, type Hash } from 'node:crypto';
import { indexJson, JsonLimitError, type JsonNode, WorkTurns } from '@heddle/json';
import { ValidationError } from '@heddle/http';
import { canonicalJson } from './canonical-json.js';

/** Values (array elements and members) of the largest payload that a digest is computed for: about 100 MB of index. */
const MAX_VALUES = 4_000_000;

/** sha256 in the clients' alphabet: base64url with X for - and Y for _, 43 characters. */
export const hashDigest = (hash: Hash): string => hash.digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');

export const bytesDigest = (bytes: Uint8Array): string => hashDigest(createHash('sha256').update(bytes));

/**
 * Digest of an object's value or of a table's row, equal to the one that the official clients compute. It does not see
 * the order of keys, white space, or how a number is written.
 * @param loc where the value stands in the request, for the error
 */
export async function jsonDigest(node: JsonNode, loc: (string | number)[] = ['body']): Promise<string> {
  const hash = createHash('sha256');
  const turns = new WorkTurns();
  for (const piece of canonicalJson(await indexed(node, loc))) {
    hash.update(piece);
    if (turns.isOver()) await turns.next();
  }
  return hashDigest(hash);
}

/** Digest of a table: sha256 in hexadecimal over its rows' digests. */
export function tableDigest(rowDigests: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const digest of rowDigests) hash.update(digest);
  return hash.digest('hex');
}

/** Indexed down to the leaves: looking below an index's depth would scan each level again. */
async function indexed(node: JsonNode, loc: (string | number)[]): Promise<JsonNode> {
  try {
    return await indexJson(node.raw(), { depth: Infinity, maxNodes: MAX_VALUES });
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error;
    throw ValidationError.at(loc, error.message, 'too_large');
  }
}
