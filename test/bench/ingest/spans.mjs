// The spans of the bench: about 1.5 KB each in protobuf, as the GenAI conventions have a model call.
import { randomBytes } from 'node:crypto';
import protobuf from 'protobufjs/light.js';
import { Resource, Span } from '../../../dist/libs/tracing/src/otel/otlp-messages.js';
import { words } from './calls.mjs';

const keyValues = (attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  }));

const message = (number, ...parts) =>
  protobuf.Writer.create()
    .uint32((number << 3) | 2)
    .bytes(Buffer.concat(parts))
    .finish();

const chat = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

function makeSpan() {
  const start = Date.now() * 1e6;
  return Span.encode(
    Span.fromObject({
      traceId: randomBytes(16),
      spanId: randomBytes(8),
      parentSpanId: randomBytes(8),
      name: 'chat gpt-4o-mini',
      kind: 3,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 1_234_567_000),
      attributes: keyValues({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o-mini',
        'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
        'gen_ai.response.id': `chatcmpl-${randomBytes(12).toString('hex')}`,
        'gen_ai.request.max_tokens': 512,
        'gen_ai.usage.input_tokens': 131,
        'gen_ai.usage.output_tokens': 120,
        'gen_ai.input.messages': chat('user', words(80)),
        'gen_ai.output.messages': chat('assistant', words(80)),
      }),
      status: { code: 1 },
    }),
  ).finish();
}

/** An ExportTraceServiceRequest of one resource. */
export function exportBody(count) {
  const attributes = keyValues({ 'service.name': 'shop', 'telemetry.sdk.language': 'python' });
  const resource = Resource.encode(Resource.fromObject({ attributes })).finish();
  const spans = Array.from({ length: count }, () => message(2, makeSpan()));
  return Buffer.from(message(1, message(1, resource), message(2, ...spans)));
}
