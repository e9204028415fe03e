import type { JsonNode } from '@heddle/json';
import { inCodePointOrder, pythonNumber, pythonString } from './python-scalars.js';

/** Characters after which a piece of the text is handed over. */
const PIECE = 64 * 1024;

interface Frame {
  members: Iterator<Member>;
  separator: string;
  end: string;
}

interface Member {
  prefix: string;
  node: JsonNode;
}

/**
 * The value as Python's `json.dumps(value, sort_keys=True)` writes it after `json.loads`: the text that the official
 * clients' digests are computed over. In pieces, and without recursion: no depth overflows anything.
 */
export function* canonicalJson(root: JsonNode): Generator<string, void> {
  const open: Frame[] = [];
  let text = '';
  let node: JsonNode | undefined = root;
  while (node) {
    if (node.kind === 'object') {
      text += '{';
      open.push({ members: membersOf(node), separator: '', end: '}' });
    } else if (node.kind === 'array') {
      text += '[';
      open.push({ members: itemsOf(node), separator: '', end: ']' });
    } else {
      text += scalar(node);
    }
    node = undefined;
    while (!node && open.length > 0) {
      const frame = open.at(-1)!;
      const next = frame.members.next();
      if (next.done) {
        text += frame.end;
        open.pop();
      } else {
        text += frame.separator + next.value.prefix;
        frame.separator = ', ';
        node = next.value.node;
      }
    }
    if (text.length > PIECE) {
      yield text;
      text = '';
    }
  }
  yield text;
}

function* itemsOf(array: JsonNode): Generator<Member, void> {
  for (const node of array.items()) yield { prefix: '', node };
}

function* membersOf(object: JsonNode): Generator<Member, void> {
  const members = [...object.entries()].sort(([a], [b]) => inCodePointOrder(a, b));
  for (const [key, node] of members) yield { prefix: `${pythonString(key)}: `, node };
}

function scalar(node: JsonNode): string {
  if (node.kind === 'string') return pythonString(node.string()!);
  return node.kind === 'number' ? pythonNumber(node.text()) : node.text();
}
