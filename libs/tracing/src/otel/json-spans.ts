import { indexJson, JsonError, type JsonNode } from '@heddle/json';
import { InvalidOtlpError } from './otel.errors.js';
import type { ReceivedSpan } from './received-span.js';
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
    const current = [...(member(group, 'scopeSpans')?.items() ?? [])].map(
      (spans) => [spans, spans.get('scope')] as const,
    );
    // What scopes were called before OTLP 1.0, which exporters of that time still send.
    const former = [...(member(group, 'instrumentationLibrarySpans')?.items() ?? [])].map(
      (spans) => [spans, member(spans, 'instrumentationLibrary')] as const,
    );
    for (const [spans, scope] of [...current, ...former]) {
      for (const span of spans.get('spans')?.items() ?? []) yield { resource, scope, span };
    }
  }
}
