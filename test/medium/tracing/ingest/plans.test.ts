import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FIND_CALL } from '../../../../libs/tracing/src/calls/calls.repository.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('reads one call by the primary key, also on a table that was never analysed', async () => {
  // Without statistics an index of visible calls looks just as good, and leads through the whole project.
  await database.pool.query('ALTER TABLE calls SET (autovacuum_enabled = false)');
  await database.pool.query(
    `INSERT INTO calls (project_id, id, op_name, started_at)
     SELECT 1, gen_random_uuid(), 'answer', now() FROM generate_series(1, 20000)`,
  );
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${FIND_CALL}`, [1, '7']);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using calls_pkey');
  expect(plan).toContain("((project_id = 1) AND (id = '7'::text))");
});
