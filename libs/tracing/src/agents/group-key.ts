import { decodeText } from '@heddle/json';
import { originalText } from '../values/indexed-text.js';
import { SPAN_FIELDS } from './span-fields.js';

/** What spans of a group have in common, as clients see it. @param value of a column of `spanRows`, as stored */
export function shownKey(value: unknown, column: string, longTexts: Record<string, string> | null): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return value;
  const { type } = SPAN_FIELDS[column]!;
  if (type === 'indexedText') return originalText(value, longTexts);
  return type === 'encodeText' ? decodeText(value) : value;
}
