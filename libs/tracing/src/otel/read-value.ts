import type { JsonNode } from '@heddle/json';
import { RejectedSpanError } from './otel.errors.js';
import type { OtelMap, OtelValue } from './otel-value.js';

/** As in protobuf: nobody nests attributes by hand, and readers recurse. */
const MAX_NESTING = 100;

/** `[{key, value}]`; of equal keys the last one counts. */
export function readAttributes(list: JsonNode | undefined, depth = 0): OtelMap {
  const attributes: OtelMap = new Map();
  for (const attribute of list?.items() ?? []) {
    const key = attribute.get('key')?.string();
    if (key === undefined) throw new RejectedSpanError('an attribute has no key');
    attributes.set(key, readValue(attribute.get('value'), depth));
  }
  return attributes;
}

/** An AnyValue, e.g. `{"stringValue": "a"}`. One without a value is null. */
function readValue(node: JsonNode | undefined, depth: number): OtelValue {
  if (depth > MAX_NESTING) throw new RejectedSpanError(`attributes are nested deeper than ${MAX_NESTING} levels`);
  const [kind, value] = node?.entries().entries().next().value ?? [];
  if (!value || value.kind === 'null') return null;
  switch (kind) {
    case 'stringValue':
    case 'bytesValue':
      return present(value.string(), kind);
    case 'boolValue':
      return present(value.boolean(), kind);
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

/** A 64-bit integer: JSON writes it as a string, and some exporters as a number. */
export function readBigInt(node: JsonNode): bigint {
  const text = node.string() ?? node.text();
  if (!/^-?\d{1,20}$/.test(text)) throw new RejectedSpanError('an integer is malformed');
  return BigInt(text);
}

function readInteger(node: JsonNode): number | bigint {
  const exact = readBigInt(node);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

function readDouble(node: JsonNode): number {
  const text = node.string() ?? node.text();
  const value = Number(text);
  if (text === '' || (Number.isNaN(value) && text !== 'NaN')) throw new RejectedSpanError('a double is malformed');
  return value;
}

function present<T>(value: T | undefined, kind: string): T {
  if (value === undefined) throw new RejectedSpanError(`a ${kind} has another type`);
  return value;
}
