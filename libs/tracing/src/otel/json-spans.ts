import { appendMember, indexJson, JsonError, type JsonNode, raw } from '@heddle/json';
import { InvalidOtlpError, RejectedSpanError } from './otel.errors.js';
import { readSpan } from './read-span.js';
import { readAttributes } from './read-value.js';
import type { ReceivedSpan, SpanSource } from './received-span.js';
import { member } from './wire-member.js';

/** Levels from the request down to a span's attributes; what lies deeper is indexed when it is read. */
const INDEXED_DEPTH = 8;

/** The spans of a request in OTLP/JSON. */
export async function jsonSpans(body: Buffer): Promise<Iterable<ReceivedSpan>> {
  let request: JsonNode;
  try {
    request = await indexJson(body, { depth: INDEXED_DEPTH });
  } catch (error) {
    throw error instanceof JsonError ? new InvalidOtlpError(error.message) : error;
  }
  if (request.kind !== 'object') throw new InvalidOtlpError('the body must be an object');
  return spansOf(request);
}

function* spansOf(request: JsonNode): Generator<ReceivedSpan, void> {
  for (const group of member(request, 'resourceSpans')?.items() ?? []) {
    const resource = group.get('resource');
    const source = { attributes: readAttributes(resource?.get('attributes')) };
    const current = [...(member(group, 'scopeSpans')?.items() ?? [])].map(
      (spans) => [spans, spans.get('scope')] as const,
    );
    // What scopes were called before OTLP 1.0, which exporters of that time still send.
    const former = [...(member(group, 'instrumentationLibrarySpans')?.items() ?? [])].map(
      (spans) => [spans, member(spans, 'instrumentationLibrary')] as const,
    );
    for (const [spans, scope] of [...current, ...former]) {
      for (const span of spans.get('spans')?.items() ?? []) yield received(span, source, resource, scope);
    }
  }
}

function received(node: JsonNode, source: SpanSource, resource?: JsonNode, scope?: JsonNode): ReceivedSpan {
  try {
    return { source, span: readSpan(node), dump: dumpOf(node, resource, scope) };
  } catch (error) {
    if (error instanceof RejectedSpanError) return error;
    throw error;
  }
}

/** The span's JSON with what it shares with its neighbours. */
function dumpOf(span: JsonNode, resource: JsonNode | undefined, scope: JsonNode | undefined): Buffer {
  let dump = span.raw();
  if (resource) dump = appendMember(dump, 'resource', raw(resource.raw()));
  if (scope) dump = appendMember(dump, 'scope', raw(scope.raw()));
  return dump;
}
