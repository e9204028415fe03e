import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { NEW_RESPONSE, type NewResponse, newResponseValues } from '../new-response.js';
import type { ResponseObject } from '../response-object.js';

/** Where a response in the background stands. */
export interface BackgroundState {
  isStreamed: boolean;
  /** Nothing of it changes any more. */
  hasEnded: boolean;
  /** Its process has not said for too long that it lives. */
  isLost: boolean;
}

/** Events that follow each other, as they are sent. */
export interface KeptEvents {
  first: number;
  last: number;
  text: string;
}

/** Who has not said for so many seconds that it lives has lost its responses. */
export const LEASE_SECONDS = 10;
const NEW_LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
const LOST = 'lease_until < now()';

const CREATE = `
  WITH ${NEW_RESPONSE}
  INSERT INTO background_responses (response_id, is_streamed, lease_until) SELECT id, $10, ${NEW_LEASE} FROM made`;

const KEEP = `
  WITH held AS (
    UPDATE background_responses SET lease_until = ${NEW_LEASE} WHERE response_id = $1 AND lease_until IS NOT NULL
    RETURNING response_id
  ), kept AS (
    INSERT INTO response_events (response_id, first, last, text) SELECT response_id, $2, $3, $4 FROM held
    ON CONFLICT DO NOTHING
  )
  SELECT FROM held`;

const BEGIN = `
  WITH held AS (
    UPDATE background_responses SET lease_until = ${NEW_LEASE} WHERE response_id = $1 AND lease_until IS NOT NULL
    RETURNING response_id
  )
  UPDATE responses SET body = $2 FROM held WHERE id = held.response_id`;

/** @param condition what else must be so */
const end = (condition: string): string => `
  WITH ended AS (
    UPDATE background_responses SET lease_until = NULL WHERE response_id = $1 AND lease_until IS NOT NULL AND ${condition}
    RETURNING response_id
  ), answered AS (
    INSERT INTO response_items (response_id, position, id, is_output, item)
    SELECT ended.response_id, asked.count + item.number - 1, item.id, true, item.text
    FROM ended,
      (SELECT count(*)::int FROM response_items WHERE response_id = $1) AS asked (count),
      unnest($3::text[], $4::text[]) WITH ORDINALITY AS item (id, text, number)
  )
  UPDATE responses SET body = $2, used_at = now() FROM ended WHERE id = ended.response_id`;

const END = end('true');
const END_LOST = end(LOST);

/**
 * Responses that are made in the background. Whoever makes one holds it by a lease; what has ended has none, and no statement
 * changes it any more.
 */
@Injectable()
export class BackgroundResponsesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async create(response: NewResponse, isStreamed: boolean): Promise<void> {
    await this.pool.query(CREATE, [...newResponseValues(response), isStreamed]);
  }

  /** Says that the holder of responses lives. @returns those that it still holds */
  async renew(ids: readonly string[]): Promise<Set<string>> {
    const sql = `UPDATE background_responses SET lease_until = ${NEW_LEASE}
      WHERE response_id = ANY($1) AND lease_until IS NOT NULL RETURNING response_id AS id`;
    const { rows } = await this.pool.query<{ id: string }>(sql, [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** @returns whether it is still held */
  async begin(id: string, response: ResponseObject): Promise<boolean> {
    return (await this.pool.query(BEGIN, [id, JSON.stringify(response)])).rowCount === 1;
  }

  /** The same events may be kept twice. @returns whether the response is still held */
  async keep(id: string, { first, last, text }: KeptEvents): Promise<boolean> {
    return (await this.pool.query(KEEP, [id, first, last, text])).rowCount === 1;
  }

  /** @returns whether this was its end: it has one */
  end(id: string, response: ResponseObject): Promise<boolean> {
    return this.endBy(END, id, response);
  }

  /** As {@link end}, where the response is lost. */
  endLost(id: string, response: ResponseObject): Promise<boolean> {
    return this.endBy(END_LOST, id, response);
  }

  /** Null for what was not asked for in the background, or is gone. */
  async state(id: string): Promise<BackgroundState | null> {
    const sql = `SELECT is_streamed AS "isStreamed", lease_until IS NULL AS "hasEnded", coalesce(${LOST}, false) AS "isLost"
      FROM background_responses WHERE response_id = $1`;
    return (await this.pool.query<BackgroundState>(sql, [id])).rows[0] ?? null;
  }

  /** Those that hold an event after one of a number, in their order. */
  async events(id: string, after: number, limit: number): Promise<KeptEvents[]> {
    const sql =
      'SELECT first, last, text FROM response_events WHERE response_id = $1 AND last > $2 ORDER BY first LIMIT $3';
    return (await this.pool.query<KeptEvents>(sql, [id, after, limit])).rows;
  }

  /** How many events are kept of a response. */
  async countEvents(id: string): Promise<number> {
    const sql = 'SELECT coalesce(max(last) + 1, 0) AS count FROM response_events WHERE response_id = $1';
    return (await this.pool.query<{ count: number }>(sql, [id])).rows[0]!.count;
  }

  async lost(limit: number): Promise<string[]> {
    const sql = `SELECT response_id AS id FROM background_responses WHERE ${LOST} ORDER BY lease_until LIMIT $1`;
    return (await this.pool.query<{ id: string }>(sql, [limit])).rows.map(({ id }) => id);
  }

  private async endBy(sql: string, id: string, response: ResponseObject): Promise<boolean> {
    const ids = response.output.map((item) => item.id);
    const texts = response.output.map((item) => JSON.stringify(item));
    return (await this.pool.query(sql, [id, JSON.stringify(response), ids, texts])).rowCount === 1;
  }
}
