// OTLP over HTTP beside calls over HTTP, and, where MLFLOW names the Python of an environment that has mlflow and psycopg2
// (MLFLOW=venv/bin/python), beside MLflow's server on the same PostgreSQL. In turns.
import { httpClient } from '../support/http-client.mjs';
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';
import { makeCall, upsertBody } from './calls.mjs';
import { startMlflow } from './mlflow.mjs';
import { exportBody } from './spans.mjs';

const CLIENTS = 4;
const SPANS = 100;
const ROUNDS = 7;
const REQUESTS_EACH = 30;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
/** One request of so many spans is to hold up nobody. */
const MANY_SPANS = 14_000;

export async function benchOtlp(server, { rounds = ROUNDS } = {}) {
  const mlflow = process.env.MLFLOW && (await startMlflow(server.postgres, process.env.MLFLOW));
  try {
    const contenders = [calls(server), spans(server), ...(mlflow ? [mlflowSpans(mlflow)] : [])];
    const rates = await inTurns(contenders, rounds);
    const medians = rates.map(median);
    printTable(
      `OTLP: ${CLIENTS} clients, requests of ${SPANS} spans of about 1.4 KB, median of ${rounds} rounds`,
      ['', 'spans/s', 'lowest', 'highest', 'ratio'],
      contenders.map(({ name }, i) => [
        name,
        medians[i],
        Math.min(...rates[i]),
        Math.max(...rates[i]),
        medians[i] / medians[0],
      ]),
    );
    await benchManySpans(server);
  } finally {
    await mlflow?.stop();
  }
}

async function inTurns(contenders, rounds) {
  const rates = contenders.map(() => []);
  // The first round warms up, and doesn't count.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      const rate = await measure(contender);
      if (round > 0) rates[i].push(rate);
    }
  }
  contenders.forEach(({ clients }) => clients.forEach((client) => client.close()));
  return rates;
}

async function measure({ clients, path, body, requests = REQUESTS_EACH, items = SPANS }) {
  const work = clients.map(() => Array.from({ length: requests }, body));
  const started = performance.now();
  await Promise.all(
    work.map(async (bodies, i) => {
      for (const bytes of bodies) await clients[i].post(path, bytes);
    }),
  );
  return (clients.length * requests * items) / ((performance.now() - started) / 1000);
}

const clientsOf = (url, authorization, headers) =>
  Array.from({ length: CLIENTS }, () => httpClient(url, authorization, { headers }));

const calls = ({ url, entity, authorization }) => ({
  name: 'upsert_batch, 500 calls',
  clients: clientsOf(url, authorization),
  path: '/call/upsert_batch',
  requests: 12,
  items: 500,
  body: () => upsertBody(Array.from({ length: 500 }, () => makeCall(`${entity}/bench`))),
});

const spans = ({ url, entity, authorization }) => ({
  name: 'OTLP protobuf',
  clients: clientsOf(url, authorization, { ...PROTOBUF, project_id: `${entity}/bench` }),
  path: '/otel/v1/traces',
  body: () => exportBody(SPANS),
});

const mlflowSpans = ({ url, experiment }) => ({
  name: 'MLflow, the same spans',
  clients: clientsOf(url, undefined, { ...PROTOBUF, 'x-mlflow-experiment-id': experiment }),
  path: '/v1/traces',
  requests: 5,
  body: () => exportBody(SPANS),
});

async function benchManySpans(server) {
  const [client] = clientsOf(server.url, server.authorization, { ...PROTOBUF, project_id: `${server.entity}/bench` });
  const rows = [];
  for (let round = 0; round < 3; round++) {
    const body = exportBody(MANY_SPANS);
    await server.eventLoopDelay();
    const started = performance.now();
    await client.post('/otel/v1/traces', body);
    const seconds = (performance.now() - started) / 1000;
    const { max, p99 } = await server.eventLoopDelay();
    rows.push([MANY_SPANS, body.length / 2 ** 20, seconds, max, p99]);
  }
  client.close();
  printTable('One OTLP request', ['spans', 'MiB', 'seconds', 'loop late max ms', 'p99 ms'], rows);
}
