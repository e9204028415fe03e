import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import pg from 'pg';
import { CallQueryLimits } from './call-query-limits.js';
import { CallQuerySlots } from './call-query-slots.js';
import type { Statement } from './call-query-statement.js';
import { type CallRecord, callColumns } from './call-record.js';
import { ClientLeftError, QueryTooSlowError } from './calls-query.errors.js';

/** Rows that are read in one go: so many ids need no cursor. */
const PAGE_ROWS = 500;
/** Calls that are read in one go, and bytes of their payloads. One call may have more: it comes alone then. */
const BATCH_CALLS = 250;
const BATCH_BYTES = 1024 * 1024;

const CANCELED = '57014';

interface FoundId {
  id: string;
  bytes: number;
}

interface CallsToRead {
  projectId: number;
  /** Gives ids and sizes, see `selectIds`. */
  ids: Statement;
  limit?: number;
  /** Payloads that may stay unread. */
  unread: readonly string[];
}

/** Runs queries over calls: each in a snapshot of its own, within the limits, and only as long as somebody waits for it. */
@Injectable()
export class CallQueryReader {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly limits: CallQueryLimits,
    private readonly slots: CallQuerySlots,
  ) {}

  async count(statement: Statement, signal: AbortSignal): Promise<number> {
    for await (const [row] of this.rows<{ count: number }>(statement, signal)) return row?.count ?? 0;
    return 0;
  }

  /** The rows of any statement, in pages. */
  rows<T extends object>(statement: Statement, signal: AbortSignal): AsyncGenerator<T[]> {
    return readAhead(this.transaction(signal, (client) => pages<T>(client, statement)));
  }

  /**
   * The calls in order, in batches of about a mebibyte. One batch is read ahead: the connection is free again before the
   * last one goes to a client that may be slow, and most answers have but one.
   */
  read({ projectId, ids, limit = Infinity, unread }: CallsToRead, signal: AbortSignal): AsyncGenerator<CallRecord[]> {
    const select = `SELECT ${callColumns(unread)} FROM calls c WHERE c.project_id = $1 AND c.id = ANY($2::text[])`;
    const batches = this.transaction(signal, async function* (client) {
      for await (const found of limit <= PAGE_ROWS ? onePage(client, ids) : pages<FoundId>(client, ids)) {
        for (const batch of split(found)) {
          const { rows } = await client.query<CallRecord>(select, [projectId, batch]);
          const calls = new Map(rows.map((row) => [row.id, row]));
          yield batch.flatMap((id) => calls.get(id) ?? []);
        }
      }
    });
    return readAhead(batches);
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
    const cancel = (): void => this.cancel(client);
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

  /** The server would only notice at its next row that nobody listens any more. */
  private cancel(client: pg.PoolClient): void {
    if (!('processID' in client)) return;
    this.pool.query('SELECT pg_cancel_backend($1)', [client.processID]).catch(() => undefined);
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

async function* onePage(client: pg.PoolClient, { text, values }: Statement): AsyncGenerator<FoundId[]> {
  yield (await client.query<FoundId>(text, values)).rows;
}

async function* pages<T extends object>(client: pg.PoolClient, { text, values }: Statement): AsyncGenerator<T[]> {
  await client.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await client.query<T>(`FETCH ${PAGE_ROWS} FROM found`);
    yield rows;
    if (rows.length < PAGE_ROWS) return;
  }
}

function* split(found: readonly FoundId[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const call of found) {
    if (batch.length === BATCH_CALLS || (batch.length > 0 && bytes + call.bytes > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(call.id);
    bytes += call.bytes;
  }
  if (batch.length > 0) yield batch;
}

const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === CANCELED;
