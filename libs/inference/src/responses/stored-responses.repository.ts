import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { isItemId, type Item } from './input-items.js';
import { NEW_RESPONSE, type NewResponse, newResponseValues } from './new-response.js';
import type { ResponseObject } from './response-object.js';

/** One of a chain of responses that go on from each other. */
export interface Link {
  id: string;
  previousId: string | null;
  /** Not while it is made in the background, nor after that failed. */
  isAnswered: boolean;
  items: Item[];
}

/** No conversation is longer: each response has a token at least. */
const MAX_CHAIN = 10_000;
/** Whose they are: $1 and $2 are the caller's user and teams. */
const VISIBLE = '(r.user_id = $1 OR r.team_id = ANY($2))';

const CHAIN = `
  WITH RECURSIVE chain AS (
    SELECT r.id, r.previous_id, 1 AS depth FROM responses r WHERE r.id = $3 AND ${VISIBLE}
    UNION ALL
    SELECT r.id, r.previous_id, depth + 1 FROM chain JOIN responses r ON r.id = chain.previous_id
    WHERE depth < ${MAX_CHAIN} AND ${VISIBLE}
  ), used AS (
    UPDATE responses r SET used_at = now() FROM chain WHERE r.id = chain.id AND r.used_at < now() - interval '1 hour'
  )
  SELECT id, previous_id AS "previousId",
    EXISTS (SELECT FROM response_items i WHERE i.response_id = chain.id AND i.is_output) AS "isAnswered",
    ARRAY(SELECT item FROM response_items i WHERE i.response_id = chain.id ORDER BY position) AS items
  FROM chain ORDER BY depth DESC`;

const INSERT = `WITH ${NEW_RESPONSE} SELECT FROM made`;

/** Responses that were stored, for their users and the members of their teams. */
@Injectable()
export class StoredResponsesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async insert(response: NewResponse): Promise<void> {
    await this.pool.query(INSERT, newResponseValues(response));
  }

  /** A response and what it went on from, the oldest first; from now on they count as used. */
  async chain(caller: Principal, id: string): Promise<Link[]> {
    if (!isItemId(id)) return [];
    const { rows } = await this.pool.query<Omit<Link, 'items'> & { items: string[] }>(CHAIN, [...ownerOf(caller), id]);
    return rows.map(({ items, ...link }) => ({ ...link, items: items.map((item) => JSON.parse(item) as Item) }));
  }

  /** By id. */
  async items(caller: Principal, ids: readonly string[]): Promise<Map<string, Item>> {
    const sql = `SELECT i.id, i.item FROM response_items i JOIN responses r ON r.id = i.response_id WHERE i.id = ANY($3) AND ${VISIBLE}`;
    const { rows } = await this.pool.query<{ id: string; item: string }>(sql, [...ownerOf(caller), ids]);
    return new Map(rows.map(({ id, item }) => [id, JSON.parse(item) as Item]));
  }

  /** The answer as it was sent. */
  async find(caller: Principal, id: string): Promise<ResponseObject | null> {
    if (!isItemId(id)) return null;
    const sql = `SELECT r.body FROM responses r WHERE r.id = $3 AND ${VISIBLE}`;
    const { rows } = await this.pool.query<{ body: string }>(sql, [...ownerOf(caller), id]);
    return rows[0] ? (JSON.parse(rows[0].body) as ResponseObject) : null;
  }

  /** As {@link find}, whosever it is. */
  async body(id: string): Promise<ResponseObject | null> {
    const { rows } = await this.pool.query<{ body: string }>('SELECT body FROM responses WHERE id = $1', [id]);
    return rows[0] ? (JSON.parse(rows[0].body) as ResponseObject) : null;
  }

  /** What was sent to get a response, in its order. */
  async input(id: string): Promise<Item[]> {
    const sql = 'SELECT item FROM response_items WHERE response_id = $1 AND NOT is_output ORDER BY position';
    const { rows } = await this.pool.query<{ item: string }>(sql, [id]);
    return rows.map(({ item }) => JSON.parse(item) as Item);
  }

  /** Viewers of its team may delete a response only if it is their own. @returns whether there was one for the caller */
  async delete(caller: Principal, id: string): Promise<boolean> {
    if (!isItemId(id)) return false;
    const sql = `DELETE FROM responses r WHERE r.id = $3 AND ${VISIBLE}`;
    const { rowCount } = await this.pool.query(sql, [...writerOf(caller), id]);
    return rowCount === 1;
  }

  /** Whether the caller may change a response, as {@link delete} has it. */
  async isWritable(caller: Principal, id: string): Promise<boolean> {
    const sql = `SELECT FROM responses r WHERE r.id = $3 AND ${VISIBLE}`;
    return (await this.pool.query(sql, [...writerOf(caller), id])).rowCount === 1;
  }

  /** Deletes some of those that were not used for so many days. @returns how many */
  async prune(days: number, limit: number): Promise<number> {
    const old = `SELECT id FROM responses WHERE used_at < now() - $1 * interval '1 day' ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED`;
    const { rowCount } = await this.pool.query(`DELETE FROM responses WHERE id IN (${old})`, [days, limit]);
    return rowCount ?? 0;
  }
}

const ownerOf = ({ userId, teams }: Principal): [string, string[]] => [
  userId,
  [...teams.values()].map(({ teamId }) => teamId),
];

/** The same without the teams in which the caller is a viewer. */
const writerOf = ({ userId, teams }: Principal): [string, string[]] => [
  userId,
  [...teams.values()].filter(({ role }) => role !== 'viewer').map(({ teamId }) => teamId),
];
