// What the SDK streams, without the SDK: bodies of history beside multi-row INSERTs of the same lines and values, in turns.
import pg from 'pg';
import { httpClient } from '../support/http-client.mjs';
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';

const CLIENTS = 4;
const METRICS = 20;
const LINES = 1000;
const ROUNDS = 7;

export async function benchHistory(server, { bodies = 10, rounds = ROUNDS } = {}) {
  const contenders = [await inserts(server), await streams(server)];
  const rates = contenders.map(() => []);
  // The first round warms up, and doesn't count.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { send }] of contenders.entries()) {
      const first = round * bodies * LINES;
      const work = Array.from({ length: CLIENTS }, () =>
        Array.from({ length: bodies }, (_, body) => linesFrom(first + body * LINES)),
      );
      const started = performance.now();
      await Promise.all(
        work.map(async (batches, client) => {
          for (const batch of batches) await send(client, batch);
        }),
      );
      const seconds = (performance.now() - started) / 1000;
      if (round > 0) rates[i].push((CLIENTS * bodies * LINES * METRICS) / seconds);
    }
  }
  for (const { close } of contenders) await close();
  const medians = rates.map(median);
  printTable(
    `History: ${CLIENTS} runs, bodies of ${LINES} lines of ${METRICS} metrics, median of ${rounds} rounds`,
    ['', 'values/s', 'lowest', 'highest', 'ratio'],
    contenders.map(({ name }, i) => [
      name,
      medians[i],
      Math.min(...rates[i]),
      Math.max(...rates[i]),
      medians[i] / medians[0],
    ]),
  );
}

function linesFrom(offset) {
  const lines = Array.from({ length: LINES }, (_, i) => {
    const values = Array.from({ length: METRICS }, (_value, metric) => [
      `group/metric_${metric}`,
      offset + i + metric / 7,
    ]);
    return { ...Object.fromEntries(values), _step: offset + i, _runtime: i / 10, _timestamp: Date.now() / 1000 };
  });
  return { offset, lines, text: lines.map((line) => JSON.stringify(line)) };
}

/** Runs of the SDK's making. @returns their ids */
async function makeRuns({ url, authorization }, prefix) {
  const client = httpClient(url, authorization);
  const query = `mutation ($name: String) { upsertBucket(input: {name: $name, modelName: "bench"}) { bucket { id } } }`;
  const ids = [];
  for (let i = 0; i < CLIENTS; i++) {
    const answer = await client.post('/graphql', JSON.stringify({ query, variables: { name: `${prefix}-${i}` } }));
    ids.push(JSON.parse(answer).data.upsertBucket.bucket.id);
  }
  client.close();
  return ids;
}

async function streams(server) {
  await makeRuns(server, 'stream');
  const clients = Array.from({ length: CLIENTS }, () => httpClient(server.url, server.authorization));
  return {
    name: 'file_stream',
    send: (client, { offset, text }) => {
      const body = JSON.stringify({ files: { 'wandb-history.jsonl': { offset, content: text } } });
      return clients[client].post(`/files/${server.entity}/bench/stream-${client}/file_stream`, body);
    },
    close: () => clients.forEach((client) => client.close()),
  };
}

const LINE_ROWS = `
  INSERT INTO run_lines (run_id, stream, line_no, step, body)
  SELECT $1, 'history', step, step, body FROM unnest($2::bigint[], $3::text[]) AS line (step, body)`;
const VALUE_ROWS = `
  INSERT INTO run_metrics (run_id, name, step, value, logged_at)
  SELECT $1, name, step, value, now() FROM unnest($2::text[], $3::bigint[], $4::float8[]) AS point (name, step, value)`;

/** In transactions, as many as there are bodies. */
async function inserts(server) {
  const runs = await makeRuns(server, 'insert');
  const pool = new pg.Pool({ connectionString: server.postgres.url, max: CLIENTS });
  return {
    name: 'multi-row INSERTs, no HTTP',
    send: async (client, { lines, text }) => {
      const db = await pool.connect();
      try {
        await db.query('BEGIN');
        await db.query(LINE_ROWS, [runs[client], lines.map(({ _step }) => _step), text]);
        const points = lines.flatMap(({ _step, ...values }) =>
          Object.entries(values)
            .filter(([name]) => !name.startsWith('_'))
            .map(([name, value]) => ({ name, step: _step, value })),
        );
        const columns = ['name', 'step', 'value'].map((column) => points.map((point) => point[column]));
        await db.query(VALUE_ROWS, [runs[client], ...columns]);
        await db.query('COMMIT');
      } finally {
        db.release();
      }
    },
    close: () => pool.end(),
  };
}
