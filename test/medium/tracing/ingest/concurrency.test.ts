import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTracing, type TracingClient } from './tracing-client.js';

let tracing: Awaited<ReturnType<typeof startTracing>>;
let client: TracingClient;

beforeAll(async () => {
  tracing = await startTracing();
  ({ client } = tracing);
});
afterAll(() => tracing.api.close());

const query = async <R extends object>(sql: string, values: unknown[] = []): Promise<R[]> =>
  (await tracing.api.database.pool.query<R>(sql, values)).rows;

const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('clients that send the same calls at once', () => {
  it('are both answered, whatever the order of their items, and each call is there once', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    const items = ids.flatMap((id) => [
      client.start({ id, inputs: { text: 'x'.repeat(20_000) } }),
      client.end(id, { output: id }),
    ]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.upsert(...shuffled(items))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const found = await query<{ id: string; output: string }>('SELECT id, output FROM calls WHERE id = ANY ($1)', [
      ids,
    ]);
    expect(new Map(found.map(({ id, output }) => [id, output]))).toEqual(new Map(ids.map((id) => [id, `"${id}"`])));
    expect(found).toHaveLength(ids.length);
  });

  it('may delete them meanwhile', async () => {
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const items = ids.map((id, i) => client.start({ id, parent_id: ids[i - 1] ?? null }));
    const all = [
      ...Array.from({ length: 3 }, () => client.upsert(...shuffled(items))),
      ...Array.from({ length: 3 }, () =>
        client.post('/calls/delete', { project_id: client.projectId, call_ids: shuffled(ids) }),
      ),
    ];
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });
});

describe('a batch that is sent again', () => {
  it('changes nothing and leaves no dead row behind', async () => {
    const id = randomUUID();
    const batch = [
      client.start({ id, inputs: { a: '\u0000' }, op_name: 'x'.repeat(5000), display_name: 'n' }),
      client.end(id, { output: 1, exception: 'e', display_name: 'renamed' }),
    ];
    await client.upsert(...batch);
    const version = 'SELECT ctid::text, to_jsonb(c) AS row FROM calls c WHERE id = $1';
    const first = await query(version, [id]);
    for (let again = 0; again < 3; again++) expect((await client.upsert(...batch)).status).toBe(200);
    for (const item of batch) expect((await client.upsert(item)).status).toBe(200);
    expect(await query(version, [id])).toEqual(first);
  });
});

describe('rows that PostgreSQL refuses for a reason that nobody foresaw', () => {
  afterEach(async () => {
    await query('DROP TRIGGER IF EXISTS refuse ON calls');
  });

  it('cost none of the others, are not answered as stored, and can be sent again', async () => {
    await query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'poison' USING ERRCODE = '22023'; END $$`);
    await query(
      "CREATE TRIGGER refuse BEFORE INSERT ON calls FOR EACH ROW WHEN (NEW.op_name = 'poison') EXECUTE FUNCTION refuse()",
    );
    const batch = Array.from({ length: 50 }, (_, i) => client.start({ op_name: i % 20 === 7 ? 'poison' : 'fine' }));
    const ids = batch.map(({ req }) => req.start['id']);
    const there = async (): Promise<number> => (await query('SELECT FROM calls WHERE id = ANY ($1)', [ids])).length;

    const refused = await client.upsert(...batch);
    expect(refused.status).toBe(500);
    expect(JSON.parse(refused.text)).toMatchObject({
      code: 'calls_refused',
      reason: expect.stringContaining('3 of the calls'),
    });
    expect(await there()).toBe(47);

    await query('DROP TRIGGER refuse ON calls');
    expect((await client.upsert(...batch)).status).toBe(200);
    expect(await there()).toBe(50);
  });
});
