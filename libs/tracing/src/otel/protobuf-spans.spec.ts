import { indexJsonSync } from '@heddle/json';
import protobuf from 'protobufjs/light.js';
import { InvalidOtlpError, RejectedSpanError } from './otel.errors.js';
import { Resource, Span } from './otlp-messages.js';
import { protobufSpans } from './protobuf-spans.js';
import { readSpan } from './read-span.js';

/** A length-delimited field. */
const message = (number: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.from(
    protobuf.Writer.create()
      .uint32((number << 3) | 2)
      .bytes(Buffer.concat(parts))
      .finish(),
  );
const IDS = {
  traceId: Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex'),
  spanId: Buffer.from('b7ad6b7169203331', 'hex'),
};
const TIME = '1764244800123456789';
const span = (fields: object): Uint8Array =>
  Span.encode(Span.fromObject({ ...IDS, startTimeUnixNano: TIME, ...fields })).finish();
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
/** What each span is kept as, without what it shares. */
const spansOf = (body: Buffer): unknown[] =>
  [...protobufSpans(body)].map((received) => {
    if (received instanceof RejectedSpanError) return received;
    const { resource: _resource, ...dump } = JSON.parse(received.dump.toString()) as Record<string, unknown>;
    return dump;
  });
const namesOf = (body: Buffer): unknown[] =>
  [...protobufSpans(body)].map((received) => (received instanceof RejectedSpanError ? received : received.span.name));

describe('protobufSpans', () => {
  it('keeps each span in the form that OTLP/JSON has: hex ids, 64-bit integers as text', () => {
    const [decoded] = spansOf(
      request(
        span({
          name: 'chat',
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

  it('reads of each span what its JSON says', () => {
    const attributes = [
      { key: 'text', value: { stringValue: 'ä' } },
      { key: 'big', value: { intValue: '-9223372036854775808' } },
      { key: 'small', value: { intValue: -7 } },
      { key: 'nan', value: { doubleValue: NaN } },
      { key: 'no', value: { boolValue: false } },
      { key: 'bytes', value: { bytesValue: Buffer.from([0, 1]) } },
      { key: 'list', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'a' }, {}] } } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }] } } },
      { key: 'nothing' },
    ];
    const events = [{ name: 'exception', attributes: attributes.slice(0, 1) }];
    const sent = { name: 'chat', attributes, events, endTimeUnixNano: '18446744073709551615', status: { code: 2 } };
    const [received] = protobufSpans(request(span({ ...sent, parentSpanId: Buffer.alloc(8) })));
    if (!received || received instanceof RejectedSpanError) throw new Error('refused');
    expect(received.span).toEqual(readSpan(indexJsonSync(Buffer.from(received.dump))));
    expect(received.span.attributes.get('big')).toBe(-9223372036854775808n);
    expect(received.span.endNanos).toBe(18446744073709551615n);
  });

  it.each([
    ['no time', { startTimeUnixNano: 0 }],
    ['a short id', { spanId: Buffer.from([1]) }],
    ['a blank id', { traceId: Buffer.alloc(16) }],
    ['a short parent', { parentSpanId: Buffer.from([1]) }],
  ])('rejects a span of %s', (_what, fields) => {
    expect(namesOf(request(span(fields)))).toEqual([expect.any(RejectedSpanError)]);
  });

  it('shares the resource', () => {
    const [first, second] = [...protobufSpans(request(span({ name: 'a' }), span({ name: 'b' })))];
    if (first instanceof RejectedSpanError || second instanceof RejectedSpanError) throw new Error('refused');
    expect(first?.source.attributes).toEqual(new Map([['service.name', 'shop']]));
    expect(second?.source).toBe(first?.source);
    expect(JSON.parse(first!.dump.toString())).toMatchObject({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
    });
  });

  it('rejects a damaged span alone', () => {
    const names = namesOf(request(span({ name: 'a' }), Buffer.from([0x0a, 0xff]), span({ name: 'c' })));
    expect(names).toEqual(['a', expect.any(RejectedSpanError), 'c']);
  });

  it('rejects a span that is nested beyond the limit of protobuf, without overflowing the stack', () => {
    let value = message(5, message(1));
    for (let level = 0; level < 5_000; level++) value = message(5, message(1, value));
    const attribute = message(9, message(1, Buffer.from('k')), message(2, value));
    expect(spansOf(request(attribute))).toEqual([expect.any(RejectedSpanError)]);
  });

  it('skips fields that it does not know', () => {
    const unknown = Buffer.concat([message(900, Buffer.from('?')), request(span({ name: 'a' }))]);
    expect(namesOf(unknown)).toEqual(['a']);
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
