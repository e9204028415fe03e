import type { JsonNode } from '@heddle/json';
import protobuf from 'protobufjs/light.js';
import { InvalidOtlpError, RejectedSpanError } from './otel.errors.js';
import { Resource, Span } from './otlp-messages.js';
import { protobufSpans } from './protobuf-spans.js';

/** A length-delimited field. */
const message = (number: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.from(
    protobuf.Writer.create()
      .uint32((number << 3) | 2)
      .bytes(Buffer.concat(parts))
      .finish(),
  );
const span = (fields: object): Uint8Array => Span.encode(Span.fromObject(fields)).finish();
const request = (...spans: Uint8Array[]): Buffer => {
  const attributes = [{ key: 'service.name', value: { stringValue: 'shop' } }];
  const resource = Resource.encode(Resource.fromObject({ attributes })).finish();
  return message(
    1,
    message(1, resource),
    message(2, ...spans.map((bytes) => message(2, bytes))),
    message(3, Buffer.from('url')),
  );
};
const spansOf = (body: Buffer): unknown[] =>
  [...protobufSpans(body)].map(({ span }) => (span instanceof RejectedSpanError ? span : (span as JsonNode).value()));

describe('protobufSpans', () => {
  it('gives each span the form that OTLP/JSON has: hex ids, 64-bit integers as text', () => {
    const [decoded] = spansOf(
      request(
        span({
          traceId: Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex'),
          spanId: Buffer.from('b7ad6b7169203331', 'hex'),
          name: 'chat',
          startTimeUnixNano: '1764244800123456789',
          attributes: [
            { key: 'big', value: { intValue: '-9223372036854775808' } },
            { key: 'nan', value: { doubleValue: NaN } },
            { key: 'bytes', value: { bytesValue: Buffer.from([0, 1]) } },
            { key: 'no', value: { boolValue: false } },
          ],
          links: [{ spanId: Buffer.from('00f067aa0ba902b7', 'hex') }],
          status: { code: 2 },
        }),
      ),
    );
    expect(decoded).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      name: 'chat',
      startTimeUnixNano: '1764244800123456789',
      attributes: [
        { key: 'big', value: { intValue: '-9223372036854775808' } },
        { key: 'nan', value: { doubleValue: 'NaN' } },
        { key: 'bytes', value: { bytesValue: 'AAE=' } },
        { key: 'no', value: { boolValue: false } },
      ],
      links: [{ spanId: '00f067aa0ba902b7' }],
      status: { code: 2 },
    });
  });

  it('shares the resource', () => {
    const [first, second] = [...protobufSpans(request(span({ name: 'a' }), span({ name: 'b' })))];
    expect(first?.resource?.value()).toEqual({
      attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }],
    });
    expect(second?.resource).toBe(first?.resource);
  });

  it('rejects a damaged span alone', () => {
    const spans = spansOf(request(span({ name: 'a' }), Buffer.from([0x0a, 0xff]), span({ name: 'c' })));
    expect(spans).toEqual([{ name: 'a' }, expect.any(RejectedSpanError), { name: 'c' }]);
  });

  it('rejects a span that is nested beyond the limit of protobuf, without overflowing the stack', () => {
    let value = message(5, message(1));
    for (let level = 0; level < 5_000; level++) value = message(5, message(1, value));
    const attribute = message(9, message(1, Buffer.from('k')), message(2, value));
    expect(spansOf(request(attribute))).toEqual([expect.any(RejectedSpanError)]);
  });

  it('skips fields that it does not know', () => {
    const unknown = Buffer.concat([message(900, Buffer.from('?')), request(span({ name: 'a' }))]);
    expect(spansOf(unknown)).toEqual([{ name: 'a' }]);
  });

  it('finds nothing in an empty request', () => {
    expect(spansOf(Buffer.alloc(0))).toEqual([]);
  });

  it.each([
    ['cut off', request(span({ name: 'a' })).subarray(0, -1)],
    ['JSON', Buffer.from('{"resourceSpans":[]}')],
    ['noise', Buffer.from('ffffffffffffffffffffffff', 'hex')],
  ])('refuses a request that is %s', (_what, body) => {
    expect(() => spansOf(body)).toThrow(InvalidOtlpError);
  });
});
