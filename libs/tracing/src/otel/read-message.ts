import type protobuf from 'protobufjs/light.js';
import { RejectedSpanError } from './otel.errors.js';
import { AnyValue } from './otlp-messages.js';
import type { OtlpEvent, OtlpSpan } from './otlp-span.js';
import type { OtelMap, OtelValue } from './otel-value.js';
import { MAX_NESTING } from './read-value.js';

/** 64 bits as protobufjs decodes them. */
interface Long {
  low: number;
  high: number;
}

/** Decoded messages, as far as they are read. Of an AnyValue only what was sent is a property of its own. */
interface KeyValue {
  key: string;
  value: ValueMessage | null;
}
interface ValueMessage {
  stringValue: string;
  boolValue: boolean;
  intValue: Long;
  doubleValue: number;
  arrayValue: { values: ValueMessage[] };
  kvlistValue: { values: KeyValue[] };
  bytesValue: Uint8Array;
}
interface EventMessage {
  name: string;
  attributes: KeyValue[];
}
export interface ResourceMessage {
  attributes: KeyValue[];
}
export interface SpanMessage {
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId: Uint8Array;
  name: string;
  startTimeUnixNano: Long;
  endTimeUnixNano: Long;
  attributes: KeyValue[];
  events: EventMessage[];
  status: { code: number; message: string } | null;
}

const STATUS_ERROR = 2;

/**
 * A span as it was decoded from protobuf.
 * @throws RejectedSpanError if it can't become a call
 */
export function spanOf(message: SpanMessage): OtlpSpan {
  const startNanos = unsigned(message.startTimeUnixNano);
  if (startNanos === 0n) throw new RejectedSpanError('startTimeUnixNano is missing');
  const { status, parentSpanId: parent } = message;
  return {
    traceId: idOf(message.traceId, 'traceId', 16),
    spanId: idOf(message.spanId, 'spanId', 8),
    parentSpanId: parent.every((byte) => byte === 0) ? null : idOf(parent, 'parentSpanId', 8),
    // OTLP: an empty name means that it is unknown.
    name: message.name || 'unknown',
    startNanos,
    endNanos: unsigned(message.endTimeUnixNano),
    attributes: attributesOf(message.attributes),
    events: message.events.map((event): OtlpEvent => ({
      name: event.name,
      attributes: attributesOf(event.attributes),
    })),
    error: status?.code === STATUS_ERROR ? { message: status.message } : null,
  };
}

/** Of equal keys the last one counts. */
export function attributesOf(list: readonly KeyValue[] = [], depth = 0): OtelMap {
  const attributes: OtelMap = new Map();
  for (const { key, value } of list) attributes.set(key, value ? valueOf(value, depth) : null);
  return attributes;
}

function valueOf(message: ValueMessage, depth: number): OtelValue {
  if (depth > MAX_NESTING) return JSON.stringify(toJsonObject(AnyValue, message));
  // One that was sent twice counts as what came last.
  const kind = Object.keys(message).at(-1);
  switch (kind) {
    case 'stringValue':
    case 'boolValue':
    case 'doubleValue':
      return message[kind];
    case 'intValue':
      return integer(message.intValue);
    case 'bytesValue':
      return Buffer.from(message.bytesValue).toString('base64');
    case 'arrayValue':
      return message.arrayValue.values.map((item) => valueOf(item, depth + 1));
    case 'kvlistValue':
      return attributesOf(message.kvlistValue.values, depth + 1);
    default:
      // None, or a kind that a later version of OTLP adds.
      return null;
  }
}

/** protobuf's JSON form: 64-bit integers and non-finite doubles are strings, bytes are base64. */
export const toJsonObject = (type: protobuf.Type, message: object): Record<string, unknown> =>
  type.toObject(message as protobuf.Message, { longs: String, bytes: String, json: true });

function idOf(bytes: Uint8Array, name: string, length: number): string {
  if (bytes.length === length && bytes.some((byte) => byte !== 0)) return Buffer.from(bytes).toString('hex');
  throw new RejectedSpanError(`${name} must be ${length} bytes, not all zero`);
}

const unsigned = ({ low, high }: Long): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

function integer({ low, high }: Long): number | bigint {
  const value = high * 2 ** 32 + (low >>> 0);
  return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low >>> 0);
}
