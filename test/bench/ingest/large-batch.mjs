// What a 30 MiB batch costs everybody else: how late the API's event loop gets, how long small requests wait, and how much
// memory the API and PostgreSQL take for it.
import { setTimeout } from 'node:timers/promises';
import { httpClient } from '../support/http-client.mjs';
import { peakMemory } from '../support/memory.mjs';
import { startPinger } from '../support/pinger.mjs';
import { printTable } from '../support/table.mjs';
import { makeCall, upsertBody } from './calls.mjs';

const SIZE = 30 * 1024 * 1024;
const ROUNDS = 3;

const shapes = {
  'calls of 2 KB': () => upsertBody(Array.from({ length: 14_800 }, () => makeCall('admin/large'))),
  'calls of 300 KB': () => upsertBody(Array.from({ length: 100 }, () => callOf(SIZE / 100))),
  'one call': () => upsertBody([callOf(SIZE)]),
  'calls of 300 KB with \\u0000': () => upsertBody(Array.from({ length: 100 }, () => callOf(SIZE / 100, '\u0000'))),
};

export async function benchLargeBatch(server) {
  const client = httpClient(server.url, server.authorization);
  const roots = [server.api.pid, server.postgres.pid];
  const rows = [];
  await client.post('/call/upsert_batch', upsertBody([makeCall('admin/large')]));
  for (const [name, make] of Object.entries(shapes)) {
    for (let round = 0; round < ROUNDS; round++) rows.push(await measure(server, client, roots, name, make));
  }
  client.close();
  const head = [
    'one request of',
    'MiB',
    'seconds',
    'loop late max ms',
    'p99 ms',
    'other request max ms',
    'memory before MiB',
    'added MiB',
  ];
  printTable('A 30 MiB batch', head, rows);
}

/** The same twice, since to look at memory costs time. */
async function measure(server, client, roots, name, makeBody) {
  const delay = await measureDelay(server, client, makeBody());
  const body = makeBody();
  await setTimeout(1000);
  const memory = await peakMemory(roots, () => client.post('/call/upsert_batch', body));
  return [name, body.length / 1024 / 1024, ...delay, memory.before, memory.added];
}

async function measureDelay(server, client, body) {
  await setTimeout(1000);
  const pinger = await startPinger(server, '/call/read', JSON.stringify({ project_id: 'admin/large', id: 'none' }));
  await server.eventLoopDelay();
  const started = performance.now();
  await client.post('/call/upsert_batch', body);
  const seconds = (performance.now() - started) / 1000;
  const { max, p99 } = await server.eventLoopDelay();
  return [seconds, max, p99, await pinger.stop()];
}

/** A call of about that many bytes, nearly all of them one text. */
function callOf(bytes, separator = ' ') {
  const words = `some words${separator}`;
  const call = makeCall('admin/large');
  const text = words.repeat((bytes - 2500) / (JSON.stringify(words).length - 2));
  return { ...call, start: { ...call.start, inputs: { text } } };
}
