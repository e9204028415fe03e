import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type QueryClient, startQueries } from './query-client.js';
import { freePort } from '../../../support/free-port.mjs';

const CALLS = 200_000;
/** Rows between two looks at the process. */
const SAMPLE_ROWS = 4000;
const MIB = 1024 * 1024;

describe('The memory of a process that streams calls', () => {
  let calls: QueryClient;
  let api: ChildProcess;
  let url: string;

  beforeAll(async () => {
    calls = await startQueries();
    await givenCalls();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const env = { ...settings(), PORT: String(port) };
    api = spawn(process.execPath, ['dist/apps/api/src/main.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) {
      if (api.exitCode !== null) throw new Error(`the API ended with ${api.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, 300_000);

  afterAll(async () => {
    if (api?.exitCode === null) {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }
    await calls.api.close();
  });

  const settings = () => ({
    PATH: process.env['PATH'],
    DATABASE_URL: calls.api.database.url,
    DATA_DIR: calls.api.env.DATA_DIR,
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
  });

  /** Of 2 KB each, straight in the database. */
  const givenCalls = async (): Promise<void> => {
    await calls.given({ id: 'first' });
    await calls.api.database.pool.query(
      `INSERT INTO calls (project_id, id, trace_id, op_name, started_at, ended_at, attributes, inputs, output, summary)
       SELECT first.project_id, 'call-' || lpad(i::text, 6, '0'), 'trace-' || i / 20, 'op',
         first.started_at + i * interval '1 second', first.started_at + i * interval '1.5 seconds', '{}',
         format('{"text":"%s"}', repeat(md5(i::text), 40)), format('{"text":"%s"}', repeat(md5(i::text), 22)), '{}'
       FROM calls first CROSS JOIN generate_series(2, $1::int) AS i`,
      [CALLS],
    );
  };

  const rss = (): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(api.pid)]).toString()) * 1024;

  it('does not grow with their number', async () => {
    const body = JSON.stringify({ project_id: calls.projectId });
    const response = await fetch(`${url}/calls/stream_query`, { method: 'POST', headers: calls.user.basic, body });
    const samples: number[] = [];
    let [rows, bytes] = [0, 0];
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
      bytes += chunk.length;
      while (samples.length < Math.floor(rows / SAMPLE_ROWS)) samples.push(rss());
    }
    // The process has done nothing before: at first its heap grows to what it works in.
    const warm = samples.slice(samples.length / 5);
    const [firstHalf, secondHalf] = [warm.slice(0, warm.length / 2), warm.slice(warm.length / 2)];
    expect([rows, samples.length]).toEqual([CALLS, CALLS / SAMPLE_ROWS]);
    expect(bytes).toBeGreaterThan(400 * MIB);
    // Memory rises until the next collection, and then falls to what is kept: a tenth of the answer would show.
    expect(Math.min(...secondHalf)).toBeLessThan(Math.min(...firstHalf) + 32 * MIB);
  }, 300_000);
});
