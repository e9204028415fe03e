import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { PageQuery } from './page-query.dto.js';
import { pageOf } from './page.js';

const items = (...ids: string[]) => ids.map((id) => ({ id }));

describe('pageOf', () => {
  it('holds the limit and says that more follows', () => {
    expect(pageOf(items('a', 'b', 'c'), 2)).toEqual({
      object: 'list',
      data: items('a', 'b'),
      first_id: 'a',
      last_id: 'b',
      has_more: true,
    });
  });

  it('ends the list on a full page that nothing follows', () => {
    expect(pageOf(items('a', 'b'), 2)).toMatchObject({ last_id: 'b', has_more: false });
  });

  it('is empty past the end', () => {
    expect(pageOf([], 20)).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
  });
});

describe('PageQuery', () => {
  const read = (query: Record<string, unknown>) => plainToInstance(PageQuery, query);

  it('has defaults', () => {
    expect(read({})).toEqual({ limit: 20, order: 'asc' });
  });

  it('reads numbers from the query string', () => {
    expect(read({ limit: '100', order: 'desc', after: 'x' })).toEqual({ limit: 100, order: 'desc', after: 'x' });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1.5' },
    { limit: 'many' },
    { order: 'up' },
    { after: ['a', 'b'] },
  ])('refuses %j', (query) => {
    expect(validateSync(read(query))).toHaveLength(1);
  });
});
