import { indexJsonSync, type JsonNode } from '@heddle/json';
import protobuf from 'protobufjs/light.js';
import { InvalidOtlpError, RejectedSpanError } from './otel.errors.js';
import { InstrumentationScope, Resource, Span } from './otlp-messages.js';
import type { ReceivedSpan } from './received-span.js';

/** Field numbers of ExportTraceServiceRequest, ResourceSpans and ScopeSpans. */
const RESOURCE_SPANS = 1;
const RESOURCE = 1;
const SCOPE_SPANS = 2;
/** What ScopeSpans were before OTLP 1.0, with the same fields: InstrumentationLibrarySpans. */
const FORMER_SCOPE_SPANS = 1000;
const SCOPE = 1;
const SPANS = 2;
const LENGTH_DELIMITED = 2;

/**
 * The spans of a request in OTLP/protobuf, decoded one at a time: a request of many megabytes doesn't block other
 * requests, and a damaged span costs only itself. The JSON form that they get is what OTLP/JSON would have sent.
 */
export function* protobufSpans(body: Buffer): Generator<ReceivedSpan, void> {
  for (const group of fields(body, RESOURCE_SPANS)) {
    const resource = shared(group, RESOURCE, Resource);
    for (const scopeSpans of [...fields(group, SCOPE_SPANS), ...fields(group, FORMER_SCOPE_SPANS)]) {
      const scope = shared(scopeSpans, SCOPE, InstrumentationScope);
      for (const span of fields(scopeSpans, SPANS)) yield { resource, scope, span: decodeSpan(span) };
    }
  }
}

/** The bytes of each message field with this number. */
function fields(message: Buffer, number: number): Buffer[] {
  const reader = protobuf.Reader.create(message);
  const found: Buffer[] = [];
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === number && (tag & 7) === LENGTH_DELIMITED) {
        const length = reader.uint32();
        const start = reader.pos;
        reader.skip(length);
        found.push(message.subarray(start, start + length));
      } else {
        reader.skipType(tag & 7);
      }
    }
  } catch (error) {
    throw new InvalidOtlpError((error as Error).message);
  }
  return found;
}

function shared(message: Buffer, number: number, type: protobuf.Type): JsonNode | undefined {
  const bytes = fields(message, number).at(-1);
  if (!bytes) return undefined;
  try {
    return toNode(toObject(type, bytes));
  } catch (error) {
    throw new InvalidOtlpError(`${type.name}: ${(error as Error).message}`);
  }
}

function decodeSpan(bytes: Buffer): JsonNode | RejectedSpanError {
  try {
    const span = toObject(Span, bytes);
    const links = (span['links'] ?? []) as Record<string, unknown>[];
    for (const carrier of [span, ...links]) hexIds(carrier);
    return toNode(span);
  } catch (error) {
    return new RejectedSpanError(`can't be decoded: ${(error as Error).message}`);
  }
}

/** protobuf's JSON form: 64-bit integers and non-finite doubles are strings, bytes are base64. */
function toObject(type: protobuf.Type, bytes: Buffer): Record<string, unknown> {
  return type.toObject(type.decode(bytes), { longs: String, bytes: String, json: true });
}

/** Ids are the exception that OTLP makes from that form: they are hex. */
function hexIds(carrier: Record<string, unknown>): void {
  for (const name of ['traceId', 'spanId', 'parentSpanId']) {
    const id = carrier[name];
    if (typeof id === 'string') carrier[name] = Buffer.from(id, 'base64').toString('hex');
  }
}

function toNode(object: Record<string, unknown>): JsonNode {
  return indexJsonSync(Buffer.from(JSON.stringify(object)));
}
