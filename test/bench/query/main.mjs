// Usage: npm run bench query
import { startServer } from '../support/server.mjs';
import { fill } from './fill.mjs';
import { benchLatency } from './latency.mjs';
import { benchStream } from './stream.mjs';

const SMALL = 10_000;
const LARGE = 1_000_000;

export default async function benchQuery() {
  const servers = [];
  try {
    for (const count of [SMALL, LARGE]) {
      const server = await startServer();
      servers.push(server);
      server.calls = await fill(server, count);
    }
    await benchLatency(...servers);
    await benchStream(servers.at(-1));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
