// Usage: [MLFLOW=venv/bin/python] npm run bench ingest
import { startServer } from '../support/server.mjs';
import { benchLargeBatch } from './large-batch.mjs';
import { benchOtlp } from './otlp.mjs';
import { benchThroughput } from './throughput.mjs';

export default async function benchIngest() {
  const server = await startServer();
  try {
    await benchThroughput(server);
    await benchOtlp(server);
    await benchLargeBatch(server);
  } finally {
    await server.stop();
  }
}
