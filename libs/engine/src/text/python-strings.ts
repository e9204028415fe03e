/** White space as Python's `str.isspace` has it: JavaScript's lacks the separators, and has the byte order mark. */
const SPACE = /[\p{White_Space}\u{1C}-\u{1F}]/u;

/** Python's `str.strip`, or only at one of the ends: white space, or any of the characters given. */
export function strip(text: string, ends: 'both' | 'left' | 'right', characters?: string | null): string {
  const unwanted = new Set(characters ?? []);
  const goes = (one: string) => (typeof characters === 'string' ? unwanted.has(one) : SPACE.test(one));
  const all = Array.from(text);
  let [start, end] = [0, all.length];
  while (ends !== 'right' && start < end && goes(all[start]!)) start++;
  while (ends !== 'left' && end > start && goes(all[end - 1]!)) end--;
  return all.slice(start, end).join('');
}

type Stripping = (text: unknown, characters?: string | null) => string;

const stripping =
  (ends: 'both' | 'left' | 'right'): Stripping =>
  (text, characters) => {
    if (typeof text !== 'string') throw new Error('only a string can be stripped');
    return strip(text, ends, characters);
  };

/** Methods of strings that the template library has without their argument, and its filter `trim`. */
const METHODS: Readonly<Record<string, Stripping>> = {
  strip: stripping('both'),
  lstrip: stripping('left'),
  rstrip: stripping('right'),
};
const FILTERS: Readonly<Record<string, Stripping>> = {
  trim: (text = '', characters) => METHODS.strip!(text, characters),
};

/** Their names as functions, which no template can say itself. */
const PREFIX = 'string.';

/** What an environment needs for programs that {@link callPythonStrings} changed. */
export const STRING_FUNCTIONS: Readonly<Record<string, Stripping>> = Object.fromEntries(
  Object.entries({ ...METHODS, ...FILTERS }).map(([name, call]) => [PREFIX + name, call]),
);

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Makes `text.lstrip(...)` and `text | trim` calls of functions, all over a parsed template. */
export function callPythonStrings(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(callPythonStrings);
  if (node instanceof Map) return [...node].flat().forEach(callPythonStrings);
  if (!isNode(node)) return;
  Object.values(node).forEach(callPythonStrings);
  if (node.type === 'CallExpression' && isNode(node.callee)) {
    const { object, property, computed } = node.callee;
    const name = isNode(property) && !computed ? property.value : undefined;
    if (node.callee.type === 'MemberExpression' && isOneOf(METHODS, name)) {
      become(node, name, [object, ...(node.args as unknown[])]);
    }
  }
  if (node.type === 'FilterExpression' && isNode(node.filter)) {
    const { filter, operand } = node;
    const call = filter.type === 'CallExpression' && isNode(filter.callee) ? filter.callee : filter;
    if (isOneOf(FILTERS, call.value)) become(node, call.value, [operand, ...((filter.args as unknown[]) ?? [])]);
  }
}

function become(node: Node, name: string, args: unknown[]): void {
  Object.assign(node, { type: 'CallExpression', callee: { type: 'Identifier', value: PREFIX + name }, args });
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const isOneOf = (names: object, name: unknown): name is string =>
  typeof name === 'string' && Object.hasOwn(names, name);
