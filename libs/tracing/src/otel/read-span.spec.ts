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

  const nest = (levels: number): object => (levels === 0 ? {} : { arrayValue: { values: [nest(levels - 1)] } });

  it.each([
    ['a short trace id', { traceId: 'abcd' }],
    ['a zero trace id', { traceId: '0'.repeat(32) }],
    ['a missing span id', { spanId: undefined }],
    ['a span id in base64', { spanId: 'C7xrcWkgMzE=' }],
    ['a parent id of another length', { parentSpanId: 'ab' }],
    ['no start', { startTimeUnixNano: 0 }],
    ['a start before 1970', { startTimeUnixNano: '-1' }],
    ['an end that is no time', { endTimeUnixNano: 'soon' }],
    ['an end beyond 64 bits', { endTimeUnixNano: '18446744073709551616' }],
    ['an attribute without a key', { attributes: [{ value: {} }] }],
    ['text that is a number', withValue({ stringValue: 1 })],
    ['an integer with a fraction', withValue({ intValue: '1.5' })],
    ['a double that is a word', withValue({ doubleValue: 'many' })],
    ['values nested without end', withValue(nest(102))],
  ])('rejects %s', (_what, change) => {
    expect(() => read(change)).toThrow(RejectedSpanError);
  });

  it('rejects what is no object', () => {
    expect(() => readSpan(indexJsonSync(Buffer.from('[]')))).toThrow(RejectedSpanError);
  });
});
