import type { JsonNode } from '@heddle/json';
import { RejectedSpanError } from './otel.errors.js';
import type { OtelMap, OtelValue } from './otel-value.js';

/** As in protobuf: nobody nests attributes by hand, and readers recurse. */
export const MAX_NESTING = 100;

/**
 * `[{key, value}]`; of equal keys the last one counts. None of them costs the span: what has no key is skipped, and a
 * value that isn't of the kind that it says is kept as its JSON text.
 */
export function readAttributes(list: JsonNode | undefined, depth = 0): OtelMap {
  const attributes: OtelMap = new Map();
  for (const attribute of list?.items() ?? []) {
    const key = attribute.get('key')?.string();
    if (key !== undefined) attributes.set(key, readValue(attribute.get('value'), depth));
  }
  return attributes;
}

/** An AnyValue, e.g. `{"stringValue": "a"}`. One without a value is null. */
function readValue(node: JsonNode | undefined, depth: number): OtelValue {
  const [kind, value] = node?.entries().entries().next().value ?? [];
  if (!node || !value || value.kind === 'null') return null;
  if (depth > MAX_NESTING) return node.text();
  switch (kind?.replace('_value', 'Value')) {
    case 'stringValue':
    case 'bytesValue':
      return value.string() ?? value.text();
    case 'boolValue':
      return value.boolean() ?? value.text();
    case 'intValue':
      return readInteger(value);
    case 'doubleValue':
      return readDouble(value);
    case 'arrayValue':
      return [...(value.get('values')?.items() ?? [])].map((item) => readValue(item, depth + 1));
    case 'kvlistValue':
      return readAttributes(value.get('values'), depth + 1);
    default:
      // A kind that a later version of OTLP adds.
      return null;
  }
}

/**
 * A 64-bit integer: JSON writes it as a string, and some exporters as a number.
 * @throws RejectedSpanError
 */
export function readBigInt(node: JsonNode): bigint {
  const text = node.string() ?? node.text();
  if (!INTEGER.test(text)) throw new RejectedSpanError('an integer is malformed');
  return BigInt(text);
}

const INTEGER = /^-?\d{1,20}$/;

function readInteger(node: JsonNode): number | bigint | string {
  const text = node.string() ?? node.text();
  if (!INTEGER.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

function readDouble(node: JsonNode): number | string {
  const text = node.string() ?? node.text();
  const value = Number(text);
  return text === '' || (Number.isNaN(value) && text !== 'NaN') ? text : value;
}
