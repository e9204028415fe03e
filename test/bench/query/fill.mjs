// Stored calls, made where they are stored: a million of them would take minutes over HTTP.
import pg from 'pg';
import { httpClient } from '../support/http-client.mjs';

const AT_ONCE = 50_000;
const CALLS_PER_TRACE = 20;
const OPS = 40;

/** Fills a project, and returns how to name what is in it. Payloads have 500 bytes to 2 KB, as ids and tools have them. */
export async function fill({ postgres, url, authorization, entity }, count) {
  const projectId = `${entity}/bench`;
  // The first write makes the project.
  const client = httpClient(url, authorization);
  const start = { project_id: projectId, id: 'first', trace_id: 'first', op_name: 'first', started_at: 0 };
  await client.post('/call/start', Buffer.from(JSON.stringify({ start: { ...start, attributes: {}, inputs: {} } })));
  client.close();
  const db = new pg.Client({ connectionString: postgres.url });
  await db.connect();
  const { rows } = await db.query("SELECT id FROM projects WHERE name = 'bench'");
  for (let from = 0; from < count; from += AT_ONCE) {
    await db.query(INSERT_CALLS, [rows[0].id, from, Math.min(from + AT_ONCE, count) - 1]);
  }
  await db.query('VACUUM ANALYZE calls');
  await db.end();
  const random = (limit) => Math.floor(Math.random() * limit);
  return {
    count,
    projectId,
    anyId: () => idOf(random(count)),
    anyTrace: () => `trace-${random(count / CALLS_PER_TRACE)}`,
    anyOp: () => `weave:///${projectId}/op/op${random(OPS)}:v1`,
  };
}

const idOf = (i) => `0194f2a0-7c1e-7a30-9d5b-${String(i).padStart(12, '0')}`;

const INSERT_CALLS = `
  INSERT INTO calls (project_id, id, trace_id, parent_id, thread_id, op_name, wb_user_id, started_at, ended_at,
    attributes, inputs, output, summary, input_refs)
  SELECT $1::int, '0194f2a0-7c1e-7a30-9d5b-' || lpad(i::text, 12, '0'), 'trace-' || i / ${CALLS_PER_TRACE},
    CASE WHEN i % ${CALLS_PER_TRACE} > 0 THEN '0194f2a0-7c1e-7a30-9d5b-' || lpad((i - i % ${CALLS_PER_TRACE})::text, 12, '0') END,
    CASE WHEN i % 100 = 0 THEN 'thread-' || i / 1000 END,
    'weave:///admin/bench/op/op' || (i * 7 + i / ${CALLS_PER_TRACE}) % ${OPS} || ':v1', 'admin',
    '2025-01-01'::timestamptz + i * interval '20 seconds', '2025-01-01'::timestamptz + i * interval '20 seconds' + interval '3 seconds',
    '{"weave":{"client_version":"0.54.0","source":"python-sdk","os_name":"Linux"},"env":"production"}',
    format('{"model":"gpt-4o","temperature":0.7,"n":%s,"messages":[{"role":"user","content":"%s"}]}', i,
      (SELECT string_agg(md5(i::text || k), ' ') FROM generate_series(1, 6 + i % 30) AS k)),
    format('{"answer":"%s"}', (SELECT string_agg(md5(k || i::text), ' ') FROM generate_series(1, 4 + i % 17) AS k)),
    format('{"usage":{"gpt-4o":{"requests":1,"prompt_tokens":%s,"completion_tokens":%s}},"status_counts":{"success":1,"error":0}}',
      i % 1000, i % 300),
    CASE WHEN i % 10 = 0 THEN ARRAY['weave:///admin/bench/object/prompt' || i % 500 || ':v1'] END
  FROM generate_series($2::int, $3::int) AS i`;
