// Usage: npm run bench bodies
// What one large body costs everybody else: how late the API's event loop gets, beside what JSON.parse alone would hold it
// up for, and how much memory is taken for each byte.
import { setTimeout } from 'node:timers/promises';
import { peakMemory } from '../support/memory.mjs';
import { median } from '../support/quantile.mjs';
import { startServer } from '../support/server.mjs';
import { printTable } from '../support/table.mjs';
import { SHAPES } from './shapes.mjs';

const ROUNDS = 5;

export default async function benchBodies() {
  const server = await startServer();
  try {
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
    const post = async (path, body) => {
      const response = await fetch(server.url + path, { method: 'POST', headers, body });
      return { status: response.status, answer: await response.json() };
    };
    await post('/v1/projects', '{"name":"large"}');
    await post('/v1/projects/admin/large/runs', '{"name":"bench"}');
    await post('/v1/projects/admin/large/artifacts', '{"name":"bench","type":"file"}');
    const model = '{"project":"large","name":"bench-model","base_model":"heddle/shuttle-1m"}';
    const { id } = (await post('/v1/preview/models', model)).answer;
    const rows = [];
    for (const { path, ...shape } of SHAPES)
      rows.push(await measure(server, post, { ...shape, path: path.replace('MODEL', id) }));
    const head = [
      'one request of',
      'MiB',
      'status',
      'loop late ms',
      'worst',
      'JSON.parse ms',
      'ratio',
      'memory : size',
    ];
    printTable(`Large bodies, median of ${ROUNDS} after one that warms up`, head, rows);
  } finally {
    await server.stop();
  }
}

async function measure(server, post, { name, path, make, atOnce = 1 }) {
  const body = Buffer.from(make());
  const send = () => Promise.all(Array.from({ length: atOnce }, () => post(path, body)));
  const late = [];
  let status;
  for (let round = 0; round <= ROUNDS; round++) {
    await setTimeout(300);
    await server.eventLoopDelay();
    [{ status }] = await send();
    const { max } = await server.eventLoopDelay();
    if (round > 0) late.push(max);
  }
  const { added } = await peakMemory([server.api.pid], send);
  const parsed = parseMilliseconds(body);
  const size = (atOnce * body.length) / 1024 / 1024;
  return [name, size, status, median(late), Math.max(...late), parsed, median(late) / parsed, added / size];
}

function parseMilliseconds(body) {
  const started = performance.now();
  JSON.parse(body.toString());
  return performance.now() - started;
}
