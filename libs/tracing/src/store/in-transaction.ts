import type pg from 'pg';

/** A deadlock's victim, or a conflict of serializable transactions: the same again will do. */
const TRANSIENT = new Set(['40P01', '40001']);
const MAX_TRIES = 5;

/** Runs the work in one transaction, and again where PostgreSQL asks for it. Resolves after the commit. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (tries === MAX_TRIES || !TRANSIENT.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

async function once<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that can't even roll back is not given back to the pool.
    await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}
