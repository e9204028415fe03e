import { Injectable } from '@nestjs/common';
import { cancelStatement, InjectPool } from '@heddle/database';
import { ClientLeftError } from '@heddle/http';
import pg from 'pg';
import { QueryLimits } from './query.limits.js';
import { QuerySlots } from './query.slots.js';
import type { Statement } from './statement.js';
import { QueryTooSlowError } from './query.errors.js';

/** Rows that are read in one go: so many need no cursor. */
export const PAGE_ROWS = 500;

const CANCELED = '57014';

/** Runs queries: each in a snapshot of its own, within the limits, and only as long as somebody waits for it. */
@Injectable()
export class StatementReader {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly limits: QueryLimits,
    private readonly slots: QuerySlots,
  ) {}

  async count(statement: Statement, signal: AbortSignal): Promise<number> {
    for await (const [row] of this.rows<{ count: number }>(statement, signal)) return row?.count ?? 0;
    return 0;
  }

  /** The rows of any statement, in pages. */
  rows<T extends object>(statement: Statement, signal: AbortSignal): AsyncGenerator<T[]> {
    return this.read(signal, (client) => pages<T>(client, statement));
  }

  /** What is read in one snapshot, one item ahead: the connection is free again before a slow client has taken the last. */
  read<T>(signal: AbortSignal, work: (client: pg.PoolClient) => AsyncGenerator<T>): AsyncGenerator<T> {
    return readAhead(this.transaction(signal, work));
  }

  private async *transaction<T>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const giveBack = await this.slots.take(signal);
    const client = await this.pool.connect().catch((error: unknown) => {
      giveBack();
      throw error;
    });
    // A lost connection shows in the next query; without a listener it would end the process.
    const onError = (): void => undefined;
    // The server would only notice at its next row that nobody listens any more.
    const cancel = (): void => cancelStatement(client);
    client.on('error', onError);
    signal.addEventListener('abort', cancel);
    let ended = false;
    try {
      signal.throwIfAborted();
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
         SET LOCAL statement_timeout = ${this.limits.statementMs}; SET LOCAL jit = off`,
      );
      yield* work(client);
      await client.query('COMMIT');
      ended = true;
    } catch (error) {
      if (signal.aborted) throw new ClientLeftError();
      if (isCanceled(error)) throw new QueryTooSlowError(this.limits.statementMs / 1000);
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      client.off('error', onError);
      // In the middle of something, it is closed: a late cancellation could meet its next user.
      client.release(!ended);
      giveBack();
    }
  }
}

async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  let held: { item: T } | undefined;
  for await (const item of source) {
    if (held) yield held.item;
    held = { item };
  }
  if (held) yield held.item;
}

/** The rows of a statement, as many at a time as are read in one go. */
export async function* pages<T extends object>(
  client: pg.PoolClient,
  { text, values }: Statement,
): AsyncGenerator<T[]> {
  await client.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await client.query<T>(`FETCH ${PAGE_ROWS} FROM found`);
    yield rows;
    if (rows.length < PAGE_ROWS) return;
  }
}

const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === CANCELED;
