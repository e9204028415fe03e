import { WorkTurns } from '@heddle/json';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';

const [QUOTE, BACKSLASH, MINUS] = [0x22, 0x5c, 0x2d];
const TOKEN = /[NI]/;
/** Below the levels that are indexed already, larger values are not looked into. */
const MAX_EXPANDED_BYTES = 4 * 1024 * 1024;
const ROUNDS = 256;

/**
 * Names the first of the tokens NaN, Infinity and -Infinity in a text that is JSON but for them.
 * @param root of the same text with the tokens replaced, so that all before the first one lies where it did
 */
export async function nonFiniteError(text: Buffer, root: JsonNode, indexedDepth: number): Promise<ValidationError> {
  const at = await firstToken(text);
  return ValidationError.at(placeOf(root, at, indexedDepth), 'must be a finite number', 'finite_number');
}

/** Outside of strings such a text has an N or an I in these tokens only. */
async function firstToken(text: Buffer): Promise<number> {
  const turns = new WorkTurns();
  for (let at = 0, round = 0; ; round++) {
    const quote = text.indexOf(QUOTE, at);
    const between = text.toString('latin1', at, quote < 0 ? text.length : quote);
    const found = TOKEN.exec(between)?.index;
    if (found !== undefined) return text[at + found - 1] === MINUS ? at + found - 1 : at + found;
    if (quote < 0) return at;
    at = afterString(text, quote);
    if (round % ROUNDS === 0 && turns.isOver()) await turns.next();
  }
}

function afterString(text: Buffer, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); ; end = text.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function placeOf(root: JsonNode, at: number, indexedDepth: number): string[] {
  const loc = ['body'];
  for (let node = root; ;) {
    if (loc.length > indexedDepth && node.byteLength > MAX_EXPANDED_BYTES) return loc;
    const child = childAt(node, at);
    if (!child) return loc;
    loc.push(child.key);
    node = child.node;
    // What was indexed on demand has offsets of the same text.
  }
}

function childAt(node: JsonNode, at: number): { key: string; node: JsonNode } | undefined {
  const holds = (child: JsonNode): boolean => child.start <= at && at < child.end;
  if (node.kind === 'array') {
    let index = 0;
    for (const item of node.items()) {
      if (holds(item)) return { key: String(index), node: item };
      index++;
    }
  }
  for (const [key, child] of node.entries()) if (holds(child)) return { key, node: child };
  return undefined;
}
