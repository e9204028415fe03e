import { indexJsonSync, raw } from '@heddle/json';
import { attributeAt, nestAttributes } from './attribute-tree.js';
import type { OtelMap, OtelValue } from './otel-value.js';

/** A span's (or an event's) attributes, by dotted key or by prefix of one. */
export class SpanAttributes {
  private readonly nested: OtelMap;

  constructor(private readonly flat: OtelMap) {
    this.nested = nestAttributes(flat);
  }

  /** The first of these keys that is set, with its value. */
  first(keys: readonly string[]): { key: string; value: OtelValue } | undefined {
    for (const key of keys) {
      const value = this.flat.get(key) ?? attributeAt(this.nested, key);
      if (value !== undefined && value !== null) return { key, value };
    }
    return undefined;
  }

  /** The first of these keys that holds text; empty text counts as none. */
  text(keys: readonly string[]): string | null {
    for (const key of keys) {
      const value = this.first([key])?.value;
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  }

  /** The first of these keys that holds a count, as an integer or as the text of one. */
  count(keys: readonly string[]): number | undefined {
    for (const key of keys) {
      const value = this.first([key])?.value;
      const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
    }
    return undefined;
  }

  /** Nested, without what lies at or below the given keys. */
  without(keys: readonly string[]): OtelMap {
    const covers = (attribute: string): boolean =>
      keys.some((key) => attribute === key || attribute.startsWith(`${key}.`));
    return nestAttributes(new Map([...this.flat].filter(([attribute]) => !covers(attribute))));
  }
}

/** Attributes can't hold objects, so instrumentations send JSON text: it counts as what it says, to the last digit. */
export function unwrapJson(value: OtelValue): OtelValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    indexJsonSync(Buffer.from(value), { depth: 0 });
    return raw(value);
  } catch {
    return value;
  }
}
