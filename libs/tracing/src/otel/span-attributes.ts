import { indexJsonSync, raw } from '@heddle/json';
import { attributeAt, nestAttributes } from './attribute-tree.js';
import type { OtelMap, OtelValue } from './otel-value.js';
import { JSON_ENCODED, JSON_MAPS, JSON_TEXTS } from './semantic-conventions.js';

/** A span's (or an event's) attributes, by dotted key or by prefix of one. */
export class SpanAttributes {
  private readonly flat: OtelMap;
  private readonly nested: OtelMap;

  constructor(attributes: OtelMap) {
    this.flat = new Map();
    for (const [key, value] of attributes) this.flat.set(key, unpacked(key, value));
    this.nested = nestAttributes(this.flat);
  }

  /** The first of these keys that is set, with its value. */
  first(keys: readonly string[]): { key: string; value: OtelValue } | undefined {
    for (const key of keys) {
      const value = this.at(key);
      if (value !== undefined && value !== null) return { key, value };
    }
    return undefined;
  }

  /** The first of these keys that holds text, or a number, as text; empty text counts as none. */
  text(keys: readonly string[]): string | null {
    for (const key of keys) {
      const value = this.at(key);
      if (typeof value === 'string' && value !== '') return value;
      if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    }
    return null;
  }

  /** The first of these keys that holds a count, as an integer or as the text of one. */
  count(keys: readonly string[]): number | undefined {
    for (const key of keys) {
      const value = this.at(key);
      const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
    }
    return undefined;
  }

  private at(key: string): OtelValue | undefined {
    return this.flat.get(key) ?? attributeAt(this.nested, key);
  }

  /** Nested, without what lies at or below the given keys. @param more stands where the span has nothing itself */
  without(keys: readonly string[], more: OtelMap): OtelMap {
    const covers = (attribute: string): boolean =>
      keys.some((key) => attribute === key || attribute.startsWith(`${key}.`));
    const rest = new Map(more);
    for (const [attribute, value] of this.flat) if (!covers(attribute)) rest.set(attribute, value);
    return nestAttributes(rest);
  }
}

/** What a convention says is JSON in a text, as what it says. */
function unpacked(key: string, value: OtelValue): OtelValue {
  if (JSON_TEXTS.has(key)) return Array.isArray(value) ? value.map(unwrapJson) : unwrapJson(value);
  if (typeof value !== 'string' || !(JSON_MAPS.has(key) || JSON_ENCODED.test(key))) return value;
  try {
    const parsed = JSON.parse(value) as unknown;
    if (JSON_MAPS.has(key)) return toMap(parsed);
    return typeof parsed === 'string' ? parsed : unwrapJson(value);
  } catch {
    return value;
  }
}

function toMap(value: unknown): OtelValue {
  if (Array.isArray(value)) return value.map(toMap);
  if (typeof value !== 'object' || value === null) return value as OtelValue;
  return new Map(Object.entries(value).map(([key, member]) => [key, toMap(member)]));
}

/** A call holds it a few levels deeper; text that is nested deeper stays text. */
const MAX_UNWRAPPED_DEPTH = 99_900;

/** Attributes can't hold objects, so instrumentations send JSON text: it counts as what it says, to the last digit. */
export function unwrapJson(value: OtelValue): OtelValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const sent = Buffer.from(value);
    const { index } = indexJsonSync(sent, { depth: 0, maxDepth: MAX_UNWRAPPED_DEPTH });
    // NaN and infinities, which Python writes and JSON has not, are null in the index's own copy.
    return raw(index.bytes === sent ? value : index.bytes);
  } catch {
    return value;
  }
}
