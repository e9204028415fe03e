import { Type } from 'class-transformer';
import { IsInt, IsString, Max, ValidateNested } from 'class-validator';
import type { ValidationError } from '../errors/api-error.js';
import { markLenient } from './lenient-bodies.js';
import { ApiValidationPipe } from './api-validation.pipe.js';

class Inner {
  @IsInt()
  @Max(10)
  size: number;
}

class Outer {
  @IsString()
  name: string;

  @ValidateNested({ each: true })
  @Type(() => Inner)
  items: Inner[];
}

const pipe = new ApiValidationPipe();
const check = (value: unknown, type: 'body' | 'query' | 'param' = 'body'): Promise<unknown> =>
  pipe.transform(value, { type, metatype: Outer });
const detailOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    (error: ValidationError) => error.detail,
  );

describe('ApiValidationPipe', () => {
  const given = { name: 'a', items: [{ size: 1, sized: true }], nme: 1 };

  it('makes an instance', async () => {
    const value = await check({ name: 'a', items: [{ size: 1 }] });
    expect(value).toBeInstanceOf(Outer);
    expect(value).toEqual({ name: 'a', items: [{ size: 1 }] });
  });

  it('refuses what it does not know of a body, in lists too, and says what was meant', async () => {
    const msg = (name: string, meant: string): string => `There is no field ${name}: did you mean ${meant}?`;
    expect(await detailOf(check(given))).toEqual([
      { loc: ['body', 'nme'], msg: msg('nme', 'name'), type: 'unknown_field', ctx: { did_you_mean: 'name' } },
      {
        loc: ['body', 'items', '0', 'sized'],
        msg: msg('sized', 'size'),
        type: 'unknown_field',
        ctx: { did_you_mean: 'size' },
      },
    ]);
  });

  it('drops what it does not know of a query, and of a body that an SDK sends', async () => {
    const known = { name: 'a', items: [{ size: 1 }] };
    expect(await check(given, 'query')).toEqual(known);
    const body = structuredClone(given);
    markLenient(body);
    expect(await check(body)).toEqual(known);
  });

  it('names a missing field', async () => {
    expect(await detailOf(check({ items: [] }))).toEqual([
      { loc: ['body', 'name'], msg: 'name is required', type: 'missing', input: undefined },
    ]);
  });

  it('names the place inside a list, with indices as strings', async () => {
    expect(await detailOf(check({ name: 'a', items: [{ size: 1 }, { size: 99 }] }))).toMatchObject([
      { loc: ['body', 'items', '1', 'size'], type: 'max', input: 99 },
    ]);
  });

  it('says where the value came from', async () => {
    expect(await detailOf(check({ items: [] }, 'query'))).toMatchObject([{ loc: ['query', 'name'] }]);
    expect(await detailOf(check({ items: [] }, 'param'))).toMatchObject([{ loc: ['path', 'name'] }]);
  });

  it('refuses what is too deep to be copied', async () => {
    const body: unknown = JSON.parse(`{"name":"a","items":[],"extra":${'['.repeat(300_000)}${']'.repeat(300_000)}}`);
    expect(await detailOf(check(body))).toMatchObject([{ loc: ['body'], type: 'unreadable' }]);
  });
});
