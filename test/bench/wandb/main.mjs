// Usage: WANDB_PYTHON=venv/bin/python [MLFLOW=venv/bin/python] [BENCH_SCALE=0.1] npm run bench wandb   The environments
// have wandb, and mlflow with psycopg2. Without the first, only the stream is measured that the SDK would send.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMlflow } from '../ingest/mlflow.mjs';
import { startServer } from '../support/server.mjs';
import { benchArtifact } from './artifact.mjs';
import { benchHistory } from './history.mjs';
import { benchLog } from './log.mjs';

const { WANDB_PYTHON: python, MLFLOW: mlflowPython } = process.env;
const scale = Number(process.env.BENCH_SCALE ?? 1);
const scaled = (count) => Math.max(1, Math.round(count * scale));

export default async function benchWandb() {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-wandb-'));
  let mlflow;
  try {
    await benchHistory(server, { bodies: scaled(10), rounds: scale < 1 ? 2 : 7 });
    if (!python) return console.log('\nWANDB_PYTHON names no Python that has wandb: the SDK is not measured');
    if (mlflowPython) {
      const started = await startMlflow(server.postgres, mlflowPython, { artifacts: join(folder, 'mlflow') });
      mlflow = { ...started, python: mlflowPython };
    }
    const rounds = scale < 1 ? 1 : 3;
    await benchLog(server, { python, mlflow, folder, steps: scaled(10_000), rounds });
    await benchArtifact(server, { python, mlflow, folder, mebibytes: scaled(1024), rounds });
  } finally {
    await mlflow?.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
