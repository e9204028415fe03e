import { isUuid } from '@heddle/database';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { ValidationError } from '../errors/api-error.js';
import type { PageQuery } from './page-query.dto.js';

/** Properties of the listed entity: its cursor (a uuid, unique in the list) and its time of creation. */
export interface PageKeys {
  id: string;
  createdAt: string;
}

/**
 * What follows the cursor, in order of creation: `limit` + 1 rows where there are as many, for `pageOf`. Pages by key,
 * so that no row is shown twice or left out when others come and go between two pages.
 * @throws ValidationError where the list has no row with the cursor's id
 */
export async function findPage<T extends ObjectLiteral>(
  list: SelectQueryBuilder<T>,
  { after, limit, order }: PageQuery,
  keys: PageKeys = { id: 'id', createdAt: 'createdAt' },
): Promise<T[]> {
  const id = `${list.alias}.${keys.id}`;
  const createdAt = `${list.alias}.${keys.createdAt}`;
  const page = list.clone();
  if (after) {
    // As text: a Date would lose the microseconds.
    const cursor = isUuid(after)
      ? await list
          .clone()
          .select(`CAST(${createdAt} AS text)`, 'at')
          .andWhere(`${id} = :after`, { after })
          .getRawOne<{ at: string }>()
      : undefined;
    if (!cursor) throw ValidationError.at(['query', 'after'], 'No item of this list has this id', 'cursor', after);
    const follows = order === 'asc' ? '>' : '<';
    page.andWhere(`(${createdAt}, ${id}) ${follows} (CAST(:at AS timestamptz), CAST(:after AS uuid))`, {
      at: cursor.at,
      after,
    });
  }
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  return page
    .orderBy(createdAt, direction)
    .addOrderBy(id, direction)
    .limit(limit + 1)
    .getMany();
}
