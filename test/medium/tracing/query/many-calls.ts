import type { QueryClient } from './query-client.js';

/**
 * Fills the client's project straight in the database: 20 calls a trace, 40 ops, payloads of about 1.2 KB of which some
 * are references, one call in ten has a thread, turn and run.
 */
export async function givenManyCalls(client: QueryClient, count: number): Promise<void> {
  const { pool } = client.api.database;
  await client.given({ id: 'first' });
  await client.post('/calls/delete', { call_ids: ['first'] });
  const [entity, project] = client.projectId.split('/');
  const { rows } = await pool.query<{ id: number }>(
    'SELECT p.id FROM projects p JOIN teams t ON t.id = p.team_id WHERE t.name = $1 AND p.name = $2',
    [entity, project],
  );
  const db = await pool.connect();
  // What was committed asynchronously isn't visible to all at once, and VACUUM would leave it out of the visibility map.
  await db.query('SET synchronous_commit = on');
  await db.query(MANY_CALLS, [rows[0]!.id, count]);
  await db.query('VACUUM ANALYZE calls');
  db.release(true);
}

const MANY_CALLS = `
  INSERT INTO calls (project_id, id, trace_id, parent_id, thread_id, turn_id, wb_run_id, op_name, wb_user_id,
    started_at, ended_at, attributes, inputs, output, summary, input_refs, output_refs)
  SELECT $1, 'call-' || lpad(i::text, 9, '0'), 'trace-' || i / 20,
    CASE WHEN i % 20 > 0 THEN 'call-' || lpad((i - i % 20)::text, 9, '0') END,
    CASE WHEN i % 10 = 0 THEN 'thread-' || i / 100 END, CASE WHEN i % 10 = 0 THEN 'turn-' || i / 10 END,
    CASE WHEN i % 10 = 1 THEN 'run-' || i / 200 END,
    'weave:///team/project/op/op' || i % 40 || ':v1', 'user',
    '2026-01-01'::timestamptz + i * interval '1 second', '2026-01-01'::timestamptz + i * interval '1.5 seconds',
    '{"env":"test","weave":{"client_version":"0.54.0"}}',
    format('{"n":%s,"question":"%s","history":"%s"}', i, md5(i::text), repeat(md5((i * 7)::text), 20)),
    format('{"answer":"%s"}', repeat(md5((i * 3)::text), 12)),
    format('{"usage":{"gpt-4o":{"requests":1,"prompt_tokens":%s}}}', i % 1000),
    CASE WHEN i % 5 = 0 THEN ARRAY['weave:///team/project/object/o' || i / 100 || ':v1'] END,
    CASE WHEN i % 5 = 1 THEN ARRAY['weave:///team/project/object/o' || i / 100 || ':v1'] END
  FROM generate_series(1, $2::int) AS i`;
