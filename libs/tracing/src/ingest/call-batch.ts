import { WorkTurns } from '@heddle/json';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { wrongKind } from '../request/wrong-kind.js';

type Kind = 'start' | 'end' | 'complete';

/** One thing that a client says about a call. A `complete` item is a start and its end in one. */
export interface CallItem {
  readonly kind: Kind;
  readonly node: JsonNode;
  /** Where the item stands in the request. */
  readonly loc: (string | number)[];
}

/** Its `loc` is rarely asked for, and there may be tens of thousands of them. */
class BatchItem implements CallItem {
  constructor(
    readonly kind: Kind,
    readonly node: JsonNode,
    private readonly index: number,
  ) {}

  get loc(): (string | number)[] {
    return ['body', 'batch', this.index, ...(this.kind === 'complete' ? [] : ['req', this.kind])];
  }
}

/**
 * The items of `{batch: [{mode, req: {start}} | {mode, req: {end}}]}`. What an item is shows by its content; the mode
 * decides only where both are there.
 * @throws ValidationError naming each item that is neither: then nothing of the request is stored
 */
export function readUpsertBatch(body: JsonNode): Promise<CallItem[]> {
  return readItems(batchOf(body), (item, index) => {
    const request = item.get('req');
    const start = request?.get('start');
    const end = start?.kind === 'object' && item.get('mode')?.string() !== 'end' ? undefined : request?.get('end');
    if (end?.kind === 'object') return new BatchItem('end', end, index);
    return start?.kind === 'object' ? new BatchItem('start', start, index) : undefined;
  });
}

/** @throws ValidationError */
export async function readCompleteBatch(body: JsonNode, maxItems: number): Promise<CallItem[]> {
  const batch = batchOf(body);
  const items = await readItems(batch, (node, index) =>
    node.kind === 'object' ? new BatchItem('complete', node, index) : undefined,
  );
  if (items.length <= maxItems) return items;
  throw ValidationError.at(['body', 'batch'], `must have at most ${maxItems} items`, 'too_long');
}

/** The item of `{start: S}` or `{end: E}`. */
export function readSingle(body: JsonNode, kind: 'start' | 'end'): CallItem {
  const node = body.get(kind);
  if (node?.kind === 'object') return { kind, node, loc: ['body', kind] };
  throw wrongKind(['body', kind], 'object', node);
}

function batchOf(body: JsonNode): JsonNode {
  const batch = body.get('batch');
  if (batch?.kind === 'array') return batch;
  throw wrongKind(['body', 'batch'], 'list', batch);
}

/** Errors beyond this many are not listed. */
const MAX_DETAILS = 100;

async function readItems(
  batch: JsonNode,
  read: (item: JsonNode, index: number) => CallItem | undefined,
): Promise<CallItem[]> {
  const turns = new WorkTurns();
  const items: CallItem[] = [];
  const refused: number[] = [];
  for (const node of batch.items()) {
    const index = items.length + refused.length;
    const item = read(node, index);
    if (item) items.push(item);
    else refused.push(index);
    if (turns.isOver()) await turns.next();
  }
  if (refused.length === 0) return items;
  throw new ValidationError(
    refused.slice(0, MAX_DETAILS).map((index) => ({
      loc: ['body', 'batch', String(index)],
      msg: 'The item is not recognisable as the start or the end of a call',
      type: 'call_item',
    })),
  );
}
