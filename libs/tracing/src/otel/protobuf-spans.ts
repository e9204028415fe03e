import protobuf from 'protobufjs/light.js';
import { InvalidOtlpError, RejectedSpanError } from './otel.errors.js';
import { InstrumentationScope, Resource, Span } from './otlp-messages.js';
import type { OtlpSpan } from './otlp-span.js';
import { attributesOf, type ResourceMessage, type SpanMessage, spanOf, toJsonObject } from './read-message.js';
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
 * requests, and a damaged span costs only itself.
 */
export function* protobufSpans(body: Buffer): Generator<ReceivedSpan, void> {
  for (const group of fields(body, RESOURCE_SPANS)) {
    const resource = shared(group, RESOURCE, Resource);
    const source = { attributes: attributesOf((resource as ResourceMessage | undefined)?.attributes) };
    for (const scopeSpans of [...fields(group, SCOPE_SPANS), ...fields(group, FORMER_SCOPE_SPANS)]) {
      const scope = shared(scopeSpans, SCOPE, InstrumentationScope);
      const tail = memberText('resource', Resource, resource) + memberText('scope', InstrumentationScope, scope);
      for (const bytes of fields(scopeSpans, SPANS)) {
        const decoded = decodeSpan(bytes, tail);
        yield decoded instanceof RejectedSpanError ? decoded : { source, ...decoded };
      }
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

function shared(message: Buffer, number: number, type: protobuf.Type): protobuf.Message | undefined {
  const bytes = fields(message, number).at(-1);
  if (!bytes) return undefined;
  try {
    return type.decode(bytes);
  } catch (error) {
    throw new InvalidOtlpError(`${type.name}: ${(error as Error).message}`);
  }
}

/** @param tail members that spans of one scope share */
function decodeSpan(bytes: Buffer, tail: string): { span: OtlpSpan; dump: string } | RejectedSpanError {
  try {
    const message = Span.decode(bytes);
    const dump = toJsonObject(Span, message);
    for (const carrier of [dump, ...((dump['links'] ?? []) as Record<string, unknown>[])]) hexIds(carrier);
    // A span without an id is refused here already, so that its JSON is never empty.
    return { span: spanOf(message as unknown as SpanMessage), dump: `${JSON.stringify(dump).slice(0, -1)}${tail}}` };
  } catch (error) {
    return error instanceof RejectedSpanError
      ? error
      : new RejectedSpanError(`can't be decoded: ${(error as Error).message}`);
  }
}

const memberText = (name: string, type: protobuf.Type, message: protobuf.Message | undefined): string =>
  message ? `,"${name}":${JSON.stringify(toJsonObject(type, message))}` : '';

/** Ids are the exception that OTLP makes from protobuf's JSON form: they are hex. */
function hexIds(carrier: Record<string, unknown>): void {
  for (const name of ['traceId', 'spanId', 'parentSpanId']) {
    const id = carrier[name];
    if (typeof id === 'string') carrier[name] = Buffer.from(id, 'base64').toString('hex');
  }
}
