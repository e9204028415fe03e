// Usage: npm run bench ingest
import { startServer } from '../support/server.mjs';
import { benchLargeBatch } from './large-batch.mjs';
import { benchThroughput } from './throughput.mjs';

export default async function benchIngest() {
  const server = await startServer();
  try {
    await benchThroughput(server);
    await benchLargeBatch(server);
  } finally {
    await server.stop();
  }
}
