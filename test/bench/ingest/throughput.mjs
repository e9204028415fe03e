// Ingest over HTTP compared with what PostgreSQL takes without it: the same rows, the same table, the same number of
// connections, in turns.
import pg from 'pg';
import { httpClient } from '../support/http-client.mjs';
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';
import { completeBody, makeCall, multiRowInsert, upsertBody } from './calls.mjs';

const CLIENTS = 4;
const BATCH = 500;
const ROUNDS = 7;
const BATCHES_EACH = 12;

export async function benchThroughput(server, { rounds = ROUNDS } = {}) {
  const contenders = [multiRowInserts(server), overHttp(server, 'upsert_batch'), overHttp(server, 'calls/complete')];
  const rates = contenders.map(() => []);
  // The first round warms up connections, caches and compiled code, and doesn't count.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      const rate = await measure(contender);
      if (round > 0) rates[i].push(rate);
    }
  }
  for (const contender of contenders) await contender.close();
  const medians = rates.map(median);
  printTable(
    `Ingest: ${CLIENTS} clients, batches of ${BATCH} calls of about 2 KB, median of ${rounds} rounds`,
    ['', 'calls/s', 'lowest', 'highest', 'ratio'],
    contenders.map(({ name }, i) => [
      name,
      medians[i],
      Math.min(...rates[i]),
      Math.max(...rates[i]),
      medians[i] / medians[0],
    ]),
  );
}

async function measure({ prepare, send }) {
  const work = Array.from({ length: CLIENTS }, () => Array.from({ length: BATCHES_EACH }, () => prepare()));
  const started = performance.now();
  await Promise.all(
    work.map(async (batches, client) => {
      for (const batch of batches) await send(client, batch);
    }),
  );
  return (CLIENTS * BATCHES_EACH * BATCH) / ((performance.now() - started) / 1000);
}

const calls = (projectId) => Array.from({ length: BATCH }, () => makeCall(projectId));

function multiRowInserts({ postgres }) {
  const pool = new pg.Pool({ connectionString: postgres.url, max: CLIENTS });
  return {
    name: 'multi-row INSERT, no HTTP',
    prepare: () => multiRowInsert(1_000_000, calls('admin/direct')),
    send: (_client, insert) => pool.query(insert),
    close: () => pool.end(),
  };
}

function overHttp({ url, entity, authorization }, route) {
  const clients = Array.from({ length: CLIENTS }, () => httpClient(url, authorization));
  const projectId = `${entity}/bench`;
  const [path, body] =
    route === 'upsert_batch' ? ['/call/upsert_batch', upsertBody] : [`/v2/${projectId}/calls/complete`, completeBody];
  return {
    name: `HTTP ${route}`,
    prepare: () => body(calls(projectId)),
    send: (client, batch) => clients[client].post(path, batch),
    close: () => clients.forEach((client) => client.close()),
  };
}
