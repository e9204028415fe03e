// MLflow's own server, in a schema of its own in the bench's database.
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../support/free-port.mjs';

const START_SECONDS = 120;

/**
 * @param python of an environment that has mlflow and psycopg2
 * @param {{ artifacts?: string }} options the folder for contents
 */
export async function startMlflow(postgres, python, { artifacts } = {}) {
  const db = new pg.Client({ connectionString: postgres.url });
  await db.connect();
  await db.query('CREATE SCHEMA mlflow').finally(() => db.end());
  // A URL of this scheme keeps it only if it is made with it.
  const store = new URL(postgres.url.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:'));
  store.searchParams.set('options', '-csearch_path=mlflow');
  const port = await freePort();
  const args = ['-m', 'mlflow', 'server', '--backend-store-uri', store.href, '--port', String(port), '--workers', '4'];
  if (artifacts) args.push('--artifacts-destination', artifacts);
  const server = spawn(python, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Its workers are of its process group.
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  };
  try {
    return { url, experiment: await experimentOf(url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function experimentOf(url) {
  for (let second = 0; second < START_SECONDS; second++) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'bench' });
    const sent = { method: 'POST', headers, body };
    const response = await fetch(`${url}/api/2.0/mlflow/experiments/create`, sent).catch(() => undefined);
    if (response?.ok) return (await response.json()).experiment_id;
    await setTimeout(1000);
  }
  throw new Error(`MLflow's server did not answer within ${START_SECONDS} s`);
}
