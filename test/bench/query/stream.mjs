// How fast a long answer streams, and what memory the API's process takes for it: the same for ten times as many calls.
import { request } from 'node:http';
import { peakMemory } from '../support/memory.mjs';
import { printTable } from '../support/table.mjs';

const COUNTS = [1_000, 10_000, 100_000];

export async function benchStream(server) {
  const rows = [];
  await stream(server, COUNTS[0]);
  for (const limit of COUNTS) {
    let bytes = 0;
    const started = performance.now();
    const memory = await peakMemory([server.api.pid], async () => (bytes = await stream(server, limit)));
    const seconds = (performance.now() - started) / 1000;
    rows.push([limit.toLocaleString('en'), seconds, limit / seconds, bytes / 2 ** 20 / seconds, memory.added]);
  }
  printTable('stream_query, oldest first', ['calls', 's', 'calls/s', 'MiB/s', 'added memory, MiB'], rows);
}

/** Reads the whole answer, and keeps nothing of it. */
function stream({ url, authorization, calls }, limit) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/calls/stream_query`, { method: 'POST', headers: { authorization } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ project_id: calls.projectId, limit }));
  });
}
