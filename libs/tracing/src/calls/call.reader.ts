import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Statement } from '../query/statement.js';
import { PAGE_ROWS, pages, StatementReader } from '../query/statement.reader.js';
import { type CallRecord, callColumns } from '../store/call-record.js';

/** Calls that are read in one go, and bytes of their payloads. One call may have more: it comes alone then. */
const BATCH_CALLS = 250;
const BATCH_BYTES = 1024 * 1024;

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
  /** SQL that goes after the columns. */
  more?: string;
}

/** Reads whole calls by the ids that a statement finds. */
@Injectable()
export class CallReader {
  constructor(private readonly reader: StatementReader) {}

  /**
   * The calls in order, in batches of about a mebibyte. One batch is read ahead: the connection is free again before the
   * last one goes to a client that may be slow, and most answers have but one.
   */
  read(
    { projectId, ids, limit = Infinity, unread, more = '' }: CallsToRead,
    signal: AbortSignal,
  ): AsyncGenerator<CallRecord[]> {
    const select = `SELECT ${callColumns(unread)}${more} FROM calls c WHERE c.project_id = $1 AND c.id = ANY($2::text[])`;
    return this.reader.read(signal, async function* (client) {
      for await (const found of limit <= PAGE_ROWS ? onePage(client, ids) : pages<FoundId>(client, ids)) {
        for (const batch of split(found)) {
          const { rows } = await client.query<CallRecord>(select, [projectId, batch]);
          const calls = new Map(rows.map((row) => [row.id, row]));
          yield batch.flatMap((id) => calls.get(id) ?? []);
        }
      }
    });
  }
}

async function* onePage(client: pg.PoolClient, { text, values }: Statement): AsyncGenerator<FoundId[]> {
  yield (await client.query<FoundId>(text, values)).rows;
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
