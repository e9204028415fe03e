import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { QuerySql, searchableText } from '../query/query-sql.js';
import { jsonOperand, sortTerms } from '../query/json-operand.js';
import type { QueryTable } from './tables.schema.js';
import { CHUNK_ROWS } from './tables.repository.js';

export interface TableRow {
  digest: string;
  /** JSON text. */
  val: string;
  /** Place in the table, from 0. */
  original_index: number;
}

/** Rows that are in memory at a time where a table is read in its own order. */
const PAGE_ROWS = 250;

/** Reads pages of a table: in its own order, which needs little memory, or filtered and sorted. */
@Injectable()
export class TableReader {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async *read(projectId: number, size: number, query: QueryTable): AsyncGenerator<TableRow[], void> {
    const { offset = 0, limit = size } = query;
    if (query.filter?.row_digests != null || (query.sort_by?.length ?? 0) > 0) {
      yield await this.sorted(projectId, query, limit, offset);
      return;
    }
    const end = Math.min(size, offset + limit);
    for (let at = offset; at < end; at += PAGE_ROWS) {
      yield await this.page(projectId, query.digest, at, Math.min(PAGE_ROWS, end - at));
    }
  }

  private async page(projectId: number, digest: string, start: number, count: number): Promise<TableRow[]> {
    const values = [projectId, digest, start - CHUNK_ROWS, start, start + count];
    const { rows } = await this.pool.query<TableRow>(PAGE, values);
    return rows;
  }

  private async sorted(projectId: number, query: QueryTable, limit: number, offset: number): Promise<TableRow[]> {
    const sql = new QuerySql();
    const where = [
      `c.project_id = ${sql.bind(projectId, 'int')}`,
      `c.table_digest = ${sql.bind(query.digest, 'text')}`,
    ];
    const wanted = query.filter?.row_digests;
    if (wanted) where.push(`d.digest = ANY(${sql.bind(wanted.map(searchableText), 'text[]')})`);
    const order = (query.sort_by ?? []).flatMap(({ field, direction }) => {
      const path = sql.bind(field.split('.').map(searchableText), 'text[]');
      // What PostgreSQL's JSON functions fail on sorts as if the field were missing.
      return sortTerms(jsonOperand(sql.derived(`CASE WHEN r.is_plain THEN r.val::json #> ${path} END`)), direction);
    });
    const { rows } = await this.pool.query<TableRow>(
      `${SELECT} ${sql.joins()} WHERE ${where.join(' AND ')}
       ORDER BY ${[...order, 'original_index'].join(', ')} LIMIT ${sql.bind(limit, 'int')} OFFSET ${sql.bind(offset, 'int')}`,
      sql.values,
    );
    return rows;
  }
}

const SELECT = `
  SELECT r.digest, r.val, (c.position + d.n - 1)::int AS original_index
  FROM trace_table_chunks c
  CROSS JOIN LATERAL unnest(c.row_digests) WITH ORDINALITY AS d (digest, n)
  JOIN trace_table_rows r ON r.project_id = c.project_id AND r.digest = d.digest`;

const PAGE = `${SELECT}
  WHERE c.project_id = $1 AND c.table_digest = $2 AND c.position > $3 AND c.position < $5
    AND c.position + d.n - 1 >= $4 AND c.position + d.n - 1 < $5
  ORDER BY original_index`;
