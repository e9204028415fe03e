import type pg from 'pg';

const ignore = (): void => undefined;

/**
 * A pool listens to its idle connections only: one that is lost while it is lent out would end the process, unless its
 * borrower listens. The borrower's next query fails, which is all it needs to know.
 */
export function survivesLostConnections(pool: pg.Pool): pg.Pool {
  pool.on('acquire', (client) => {
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
  });
  return pool;
}
