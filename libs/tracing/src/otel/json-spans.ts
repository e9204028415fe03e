import { indexJson, JsonError, type JsonNode } from '@heddle/json';
import { InvalidOtlpError } from './otel.errors.js';
import type { ReceivedSpan } from './received-span.js';

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
  for (const group of request.get('resourceSpans')?.items() ?? []) {
    const resource = group.get('resource');
    for (const scopeSpans of group.get('scopeSpans')?.items() ?? []) {
      const scope = scopeSpans.get('scope');
      for (const span of scopeSpans.get('spans')?.items() ?? []) yield { resource, scope, span };
    }
  }
}
