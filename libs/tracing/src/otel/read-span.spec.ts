import { indexJsonSync } from '@heddle/json';
import { RejectedSpanError } from './otel.errors.js';
import type { OtlpSpan } from './otlp-span.js';
import { readSpan } from './read-span.js';

const GOOD = {
  traceId: '0AF7651916CD43DD8448EB211C80319C',
  spanId: 'b7ad6b7169203331',
  name: 'chat',
  startTimeUnixNano: 1764244800123456789n,
};
const text = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? `#${member}#` : member)).replaceAll(
    /"#|#"/g,
    '',
  );
const read = (change: object): OtlpSpan => readSpan(indexJsonSync(Buffer.from(text({ ...GOOD, ...change }))));
const withValue = (value: unknown): object => ({ attributes: [{ key: 'k', value }] });

describe('readSpan', () => {
  it('reads ids in either case and times as numbers or text', () => {
    const span = read({ endTimeUnixNano: '1764244800123456790', parentSpanId: '' });
    expect(span.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect([span.startNanos, span.endNanos]).toEqual([1764244800123456789n, 1764244800123456790n]);
    expect(span.parentSpanId).toBeNull();
  });

  it('reads every kind of value', () => {
    const value = {
      arrayValue: {
        values: [
          { stringValue: 'a\ud800' },
          { boolValue: false },
          { intValue: '-5' },
          { doubleValue: 1.5 },
          { bytesValue: 'AAE=' },
          { kvlistValue: { values: [{ key: 'x', value: {} }] } },
          { arrayValue: {} },
          { someLaterValue: 1 },
        ],
      },
    };
    expect(read(withValue(value)).attributes.get('k')).toEqual([
      'a\ud800',
      false,
      -5,
      1.5,
      'AAE=',
      new Map([['x', null]]),
      [],
      null,
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['text that is a number', { stringValue: 1 }, '1'],
    ['an integer with a fraction', { intValue: '1.5' }, '1.5'],
    ['a double that is a word', { doubleValue: 'many' }, 'many'],
    ['a boolean that is text', { boolValue: 'yes' }, '"yes"'],
  ])('keeps the text of %s, and the span', (_what, value, expected) => {
    expect(read(withValue(value)).attributes).toEqual(new Map([['k', expected]]));
  });

  it('skips an attribute without a key, and stops to read values that are nested without end', () => {
    const nest = (levels: number): object => (levels === 0 ? {} : { arrayValue: { values: [nest(levels - 1)] } });
    expect(read({ attributes: [{ value: {} }] }).attributes).toEqual(new Map());
    expect(JSON.stringify(read(withValue(nest(105))).attributes.get('k'))).toContain('arrayValue');
  });

  it('reads the names of the .proto files, and ids in base64', () => {
    const span = {
      trace_id: Buffer.from(GOOD.traceId, 'hex').toString('base64'),
      span_id: 'C7xrcWkgMzE=',
      parent_span_id: '0000000000000000',
      start_time_unix_nano: '1764244800123456789',
      end_time_unix_nano: '1764244800123456790',
      attributes: [{ key: 'n', value: { int_value: '7' } }],
    };
    expect(readSpan(indexJsonSync(Buffer.from(JSON.stringify(span))))).toMatchObject({
      traceId: GOOD.traceId.toLowerCase(),
      spanId: '0bbc6b7169203331',
      parentSpanId: null,
      endNanos: 1764244800123456790n,
      attributes: new Map([['n', 7]]),
    });
  });

  it.each([
    ['a short trace id', { traceId: 'abcd' }],
    ['a zero trace id', { traceId: '0'.repeat(32) }],
    ['a missing span id', { spanId: undefined }],
    ['a parent id of another length', { parentSpanId: 'ab' }],
    ['no start', { startTimeUnixNano: 0 }],
    ['a start before 1970', { startTimeUnixNano: '-1' }],
    ['an end that is no time', { endTimeUnixNano: 'soon' }],
    ['an end beyond 64 bits', { endTimeUnixNano: '18446744073709551616' }],
  ])('rejects %s', (_what, change) => {
    expect(() => read(change)).toThrow(RejectedSpanError);
  });

  it('rejects what is no object', () => {
    expect(() => readSpan(indexJsonSync(Buffer.from('[]')))).toThrow(RejectedSpanError);
  });
});
