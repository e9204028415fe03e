import { readRequestKey } from './request-key.js';

const LOC = ['body', 'client_job_id'];

describe('readRequestKey', () => {
  it.each<[string | undefined, unknown, string | null]>([
    [undefined, undefined, null],
    [undefined, null, null],
    ['a', undefined, 'a'],
    [undefined, 'b', 'b'],
    ['a', 'b', 'a'],
  ])('of the header %j and the field %j is %j', (header, field, key) => {
    expect(readRequestKey(header, field, LOC)).toBe(key);
  });

  it.each<[string | undefined, unknown, string]>([
    ['', undefined, 'header.idempotency-key'],
    ['x'.repeat(256), undefined, 'header.idempotency-key'],
    [undefined, 5, 'body.client_job_id'],
    [undefined, 'a\n', 'body.client_job_id'],
  ])('refuses the header %j and the field %j', (header, field, place) => {
    expect(() => readRequestKey(header, field, LOC)).toThrow(
      expect.objectContaining({ detail: [expect.objectContaining({ loc: place.split('.') })] }),
    );
  });
});
