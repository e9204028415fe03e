import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { WorkTurns } from './work-turns.js';

type Loc = (string | number)[];

/** One thing that a client says about a call. A `complete` item is a start and its end in one. */
export interface CallItem {
  kind: 'start' | 'end' | 'complete';
  node: JsonNode;
  /** Where the item stands in the request. */
  loc: Loc;
}

/**
 * The items of `{batch: [{mode, req: {start}} | {mode, req: {end}}]}`. What an item is shows by its content; the mode
 * decides only where both are there.
 * @throws ValidationError naming each item that is neither: then nothing of the request is stored
 */
export function readUpsertBatch(body: JsonNode): Promise<CallItem[]> {
  return readItems(batchOf(body), (item, loc) => {
    const request = item.get('req');
    const [start, end] = [request?.get('start'), request?.get('end')];
    const isEnd = start?.kind !== 'object' || (end?.kind === 'object' && item.get('mode')?.string() === 'end');
    const [kind, node] = isEnd ? (['end', end] as const) : (['start', start] as const);
    return node?.kind === 'object' ? { kind, node, loc: [...loc, 'req', kind] } : undefined;
  });
}

/** @throws ValidationError */
export async function readCompleteBatch(body: JsonNode, maxItems: number): Promise<CallItem[]> {
  const batch = batchOf(body);
  const items = await readItems(batch, (node, loc) =>
    node.kind === 'object' ? { kind: 'complete', node, loc } : undefined,
  );
  if (items.length <= maxItems) return items;
  throw ValidationError.at(['body', 'batch'], `must have at most ${maxItems} items`, 'too_long');
}

/** The item of `{start: S}` or `{end: E}`. */
export function readSingle(body: JsonNode, kind: 'start' | 'end'): CallItem {
  const node = body.get(kind);
  if (node?.kind === 'object') return { kind, node, loc: ['body', kind] };
  throw ValidationError.at(['body', kind], `${kind} must be an object`, node ? 'object_type' : 'missing');
}

function batchOf(body: JsonNode): JsonNode {
  const batch = body.get('batch');
  if (batch?.kind === 'array') return batch;
  throw ValidationError.at(['body', 'batch'], 'batch must be an array', batch ? 'array_type' : 'missing');
}

/** Errors beyond this many are not listed. */
const MAX_DETAILS = 100;

async function readItems(
  batch: JsonNode,
  read: (item: JsonNode, loc: Loc) => CallItem | undefined,
): Promise<CallItem[]> {
  const turns = new WorkTurns();
  const items: CallItem[] = [];
  const refused: Loc[] = [];
  for (const node of batch.items()) {
    const loc = ['body', 'batch', items.length + refused.length];
    const item = read(node, loc);
    if (item) items.push(item);
    else refused.push(loc);
    if (turns.isOver()) await turns.next();
  }
  if (refused.length === 0) return items;
  throw new ValidationError(
    refused.slice(0, MAX_DETAILS).map((loc) => ({
      loc: loc.map(String),
      msg: 'The item is not recognisable as the start or the end of a call',
      type: 'call_item',
    })),
  );
}
