// How long reads take in a small and in a large project. Requests to both alternate, one at a time, so that whatever
// else the machine does meets both alike.
import { httpClient } from '../support/http-client.mjs';
import { median, p99 } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';

const WARM_UP = 200;
const REQUESTS = 2000;

const newest = [{ field: 'started_at', direction: 'desc' }];
const streamQuery = (filter) => ({ path: '/calls/stream_query', body: { filter, sort_by: newest, limit: 50 } });

const READS = {
  '/call/read': (calls) => ({ path: '/call/read', body: { id: calls.anyId() } }),
  'stream_query, newest 50 of an op': (calls) => streamQuery({ op_names: [calls.anyOp()] }),
  'stream_query, a trace': (calls) => streamQuery({ trace_ids: [calls.anyTrace()] }),
  'stream_query, newest 50 roots': () => streamQuery({ trace_roots_only: true }),
  'stream_query, oldest 50': () => ({ path: '/calls/stream_query', body: { limit: 50 } }),
  'query_stats, an op': (calls) => ({
    path: '/calls/query_stats',
    body: { filter: { op_names: [calls.anyOp()] } },
    few: true,
  }),
  'query_stats, all': () => ({ path: '/calls/query_stats', body: {}, few: true }),
};

export async function benchLatency(small, large) {
  const clients = [small, large].map(({ url, authorization }) => httpClient(url, authorization));
  const rows = [];
  for (const [name, makeRead] of Object.entries(READS)) {
    const times = [[], []];
    const requests = makeRead(small.calls).few ? REQUESTS / 20 : REQUESTS;
    for (let i = -WARM_UP; i < requests; i++) {
      for (const [at, { calls }] of [small, large].entries()) {
        const { path, body } = makeRead(calls);
        const bytes = Buffer.from(JSON.stringify({ project_id: calls.projectId, ...body }));
        const started = performance.now();
        await clients[at].post(path, bytes);
        if (i >= 0) times[at].push(performance.now() - started);
      }
    }
    const [few, many] = times;
    rows.push([name, median(few), median(many), p99(few), p99(many), p99(many) / p99(few)]);
  }
  clients.forEach((client) => client.close());
  const [n, m] = [small, large].map(({ calls }) => calls.count.toLocaleString('en'));
  printTable(
    `Reads, in ms, with ${n} and with ${m} stored calls`,
    ['', `median, ${n}`, `median, ${m}`, `p99, ${n}`, `p99, ${m}`, 'ratio of p99'],
    rows,
  );
}
