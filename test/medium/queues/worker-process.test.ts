import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '@heddle/config';
import { createDatabase, type TestDatabase } from '../../support/database.js';

const SCRIPT = 'dist/apps/worker/src/main.js';

/** The worker as a process of its own, as `npm start` runs it: its built code, with an IPC channel. */
class WorkerProcess {
  stderr = '';
  stdout = '';
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;

  constructor(settings: Record<string, string>) {
    const env = childEnvironment({ NODE_ENV: 'test', WORKER_PORT: '0', ...settings });
    this.child = fork(SCRIPT, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.exit = once(this.child, 'exit');
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /** Where its health routes are, once it runs. */
  async ready(): Promise<string> {
    const ended = this.exit.then(() => Promise.reject(new Error(`ended at start: ${this.stderr}`)));
    const [message] = (await Promise.race([once(this.child, 'message'), ended])) as [{ type: string; url: string }];
    expect(message.type).toBe('ready');
    return message.url;
  }
}

describe('the worker process', () => {
  let database: TestDatabase;
  let worker: WorkerProcess;

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(async () => {
    worker.child.kill('SIGKILL');
    await worker.exit;
    await database.drop();
  });

  it('serves health, and ends with code 0 on SIGTERM', async () => {
    worker = new WorkerProcess({ DATABASE_URL: database.url });
    const url = await worker.ready();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    worker.child.kill('SIGTERM');
    expect(await worker.exit).toEqual([0, null]);
    expect(worker.stdout).toContain('"worker ready"');
  });

  it('ends by itself when its parent is gone', async () => {
    worker = new WorkerProcess({ DATABASE_URL: database.url });
    await worker.ready();
    // What the kernel does to the channel when the parent is killed.
    worker.child.disconnect();
    expect(await worker.exit).toEqual([0, null]);
  });

  const failures: [string, Record<string, string>, RegExp][] = [
    ['a bad setting', { LOG_LEVEL: 'loud' }, /^heddle worker: Invalid settings: LOG_LEVEL must be [^\n]*\n$/],
    ['no database', { DATABASE_URL: 'postgres://u:pa55word@127.0.0.1:1/x' }, /^heddle worker: PostgreSQL at [^\n]*\n$/],
    [
      'no Redis',
      { REDIS_URL: 'redis://u:pa55word@127.0.0.1:1' },
      /^heddle worker: Redis at 127[^\n]*ECONNREFUSED[^\n]*\n$/,
    ],
  ];

  it.each(failures)('ends with code 1 and one clear line on %s', async (_what, settings, line) => {
    worker = new WorkerProcess({ DATABASE_URL: database.url, ...settings });
    expect(await worker.exit).toEqual([1, null]);
    expect(worker.stderr).toMatch(line);
    expect(worker.stderr).not.toContain('pa55word');
  });
});
