import { setTimeout as pause } from 'node:timers/promises';

/** A connection that a BullMQ worker listens on has the name of its queue. */
const SESSIONS = `
  SELECT count(*)::int AS connections, count(*) FILTER (WHERE application_name NOT LIKE 'heddle%')::int AS listens
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const COMMITS =
  'SELECT (xact_commit + xact_rollback)::float8 AS count FROM pg_stat_database WHERE datname = current_database()';

/** What PostgreSQL says of those who use it. @param {import('pg').Pool} pool with one connection */
export function watchDatabase(pool) {
  const sessions = async () => (await pool.query(SESSIONS)).rows[0];
  const commits = async () => (await pool.query(COMMITS)).rows[0].count;
  return {
    /** The most connections at a time while the work goes on. */
    async most(work) {
      let most = 0;
      let isOver = false;
      const done = work().finally(() => (isOver = true));
      while (!isOver) {
        most = Math.max(most, (await sessions()).connections);
        await pause(100);
      }
      await done;
      return most;
    },
    /** While nobody asks for anything: the most sessions, and transactions in a second. */
    async rest(ms) {
      const [before, started] = [await commits(), performance.now()];
      let most = { connections: 0, listens: 0 };
      let ours = 1;
      while (performance.now() - started < ms) {
        const now = await sessions();
        most = {
          connections: Math.max(most.connections, now.connections),
          listens: Math.max(most.listens, now.listens),
        };
        ours += 1;
        await pause(500);
      }
      // Sessions tell the counters of theirs a second later.
      return { ...most, transactions: ((await commits()) - before - ours) / ((performance.now() - started) / 1000) };
    },
  };
}
