import { Injectable, Logger } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { ingestedCalls } from '@heddle/metrics';
import pg from 'pg';
import { type CallWrite } from './call-write.js';
import { chunksOf, isLarge, largeCallParameters, renameParameters, upsertParameters } from './call-write-parameters.js';
import { CallsRefusedError } from './store.errors.js';
import { RENAME_CALLS, UPSERT_CALLS, UPSERT_LARGE_CALL } from './call-upsert.js';
import { inTransaction } from './in-transaction.js';

/** Values that PostgreSQL can't take (22: data, 23: constraints, 54: limits); other errors have nothing to do with a row. */
const REFUSED = /^(?:22|23|54)/;

/** Writes calls in bulk: one statement for each mebibyte or so, all of a request in one transaction. */
@Injectable()
export class CallWriter {
  private readonly logger = new Logger(CallWriter.name);

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /**
   * Resolves after the commit.
   * @throws CallsRefusedError after all others were stored
   */
  async write(writes: CallWrite[]): Promise<void> {
    // In one order for everybody, so that two requests with the same calls wait for each other and never in a circle.
    writes.sort((a, b) => a.project_id - b.project_id || (a.id < b.id ? -1 : 1));
    try {
      await inTransaction(this.pool, async (client) => {
        for (const chunk of chunksOf(writes)) await upsert(client, chunk);
      });
      ingestedCalls.inc(writes.length);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.writeAllBut(writes, error);
    }
  }

  private async writeAllBut(writes: CallWrite[], cause: unknown): Promise<void> {
    const refused = await inTransaction(this.pool, async (client) => {
      let count = 0;
      for (const chunk of chunksOf(writes)) count += await this.bisect(client, chunk);
      return count;
    });
    ingestedCalls.inc(writes.length - refused);
    if (refused > 0) throw new CallsRefusedError(refused, { cause });
  }

  /** Halves what is refused until the rows are found that can't be stored, and returns how many those are. */
  private async bisect(client: pg.PoolClient, writes: CallWrite[]): Promise<number> {
    await client.query('SAVEPOINT part');
    try {
      await upsert(client, writes);
      await client.query('RELEASE SAVEPOINT part');
      return 0;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await client.query('ROLLBACK TO SAVEPOINT part');
      if (writes.length > 1) {
        const middle = writes.length >> 1;
        return (await this.bisect(client, writes.slice(0, middle))) + (await this.bisect(client, writes.slice(middle)));
      }
      const { project_id: projectId, id } = writes[0]!;
      this.logger.error({ err: error, projectId, callId: id.slice(0, 100) }, 'PostgreSQL refused a call');
      return 1;
    }
  }
}

async function upsert(client: pg.PoolClient, writes: CallWrite[]): Promise<void> {
  const [first] = writes;
  if (first && isLarge(first)) await client.query(UPSERT_LARGE_CALL, largeCallParameters(first));
  else await client.query(UPSERT_CALLS, upsertParameters(writes));
  const renames = writes.filter(({ rename }) => rename !== null);
  if (renames.length > 0) await client.query(RENAME_CALLS, renameParameters(renames));
}

const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && REFUSED.test(error.code ?? '');
