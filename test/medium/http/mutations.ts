/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** JSON that JavaScript's own writer can't write. */
class Raw {
  constructor(readonly text: string) {}
}

const nested = (levels: number): Raw => new Raw('['.repeat(levels) + ']'.repeat(levels));
const nestedObjects = (levels: number): Raw => new Raw('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

/** What hardly any field expects. */
const ODD: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ({ '': null }),
  () => ({ __proto__: null, constructor: { prototype: 1 }, toString: 'x' }),
  () => new Raw('{"__proto__": {"a": 1}}'),
  () => '',
  () => ' ',
  () => '\0',
  () => `a${'\0'}b`,
  () => new Raw('"\\ud800"'),
  () => new Raw('"\\udfff\\ud800@x.org"'),
  () => new Raw('{"\\ud800": 1}'),
  () => new Raw('{"\\u0000": 1}'),
  () => '\u202e\u{1f9f6}',
  () => '../../etc/passwd',
  () => "'; DROP TABLE users; --",
  () => '%',
  () => 'x'.repeat(70_000),
  () => '\u{1f9f6}'.repeat(5000),
  (random) => '$'.repeat(1 + Math.floor(random() * 5)),
  () => 0,
  () => -1,
  () => 0.1,
  () => new Raw('-0'),
  () => new Raw('1e999'),
  () => new Raw('-1e999'),
  () => new Raw('1e-999'),
  () => 2 ** 31,
  () => new Raw('9223372036854775808'),
  () => new Raw('9'.repeat(400)),
  () => '9223372036854775808',
  () => '2026-02-30T25:61:00Z',
  () => '+999999-01-01T00:00:00Z',
  () => '00000000-0000-4000-8000-000000000000',
  () => nested(99),
  () => nested(5000),
  () => nestedObjects(99),
  () => nestedObjects(5000),
  () => Array.from({ length: 2000 }, (_, i) => i),
  () => Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`f${i}`, i])),
];

type Container = Record<string, unknown> | unknown[];

interface Place {
  parent: Container;
  key: string | number;
}

/** All places of a value, its own included. */
function placesOf(parent: Container, found: Place[] = []): Place[] {
  const keys = Array.isArray(parent) ? parent.keys() : Object.keys(parent);
  for (const key of keys) {
    found.push({ parent, key });
    const child = (parent as Record<string | number, unknown>)[key];
    if (typeof child === 'object' && child !== null && !(child instanceof Raw)) placesOf(child as Container, found);
  }
  return found;
}

/** Changes one to three places of a body: to something odd, to nothing, to a list or a text of itself. */
function change(random: Random, body: unknown): unknown {
  const root = { body: structuredClone(body) };
  const changes = 1 + Math.floor(random() * 3);
  for (let i = 0; i < changes; i++) {
    const { parent, key } = pick(random, placesOf(root));
    const values = parent as Record<string | number, unknown>;
    const way = random();
    if (way < 0.7) values[key] = pick(random, ODD)(random);
    else if (way < 0.8) values[key] = [values[key]];
    else if (way < 0.9 && !(values[key] instanceof Raw)) values[key] = JSON.stringify(values[key]) ?? null;
    else if (key !== 'body') delete values[key];
  }
  return root.body;
}

function textOf(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${Array.from(value, (each) => textOf(each ?? null)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)
    .join()}}`;
}

/** A body that is wrong somewhere; now and then it isn't even JSON. */
export function mutate(random: Random, body: unknown): Buffer {
  const bytes = Buffer.from(textOf(change(random, body)));
  const way = random();
  if (way < 0.03) return bytes.subarray(0, Math.floor(random() * bytes.length));
  if (way < 0.06) bytes[Math.floor(random() * bytes.length)] = 0xff;
  return bytes;
}
