import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROBE_JOB } from '@heddle/health';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { TestSystem } from './test-system.js';

const works = { success: true, duration: expect.any(Number), errors: [] };
const fails = (...errors: string[]) => ({ success: false, duration: expect.any(Number), errors });

describe('GET /v1/system-check', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let system: TestSystem;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = new TcpProxy(new URL(database.url));
    system = await TestSystem.start({ DATABASE_URL: await proxy.start(), SYSTEM_CHECK_TIMEOUT_MS: '1000' });
    await system.startWorker();
  });

  afterAll(async () => {
    await proxy.pass();
    await system.close();
    await proxy.refuse();
    await database.drop();
  });

  /** The worker's own upkeep lies in the queues too. */
  async function probesLeft(): Promise<number> {
    const jobs = await Promise.all([system.queue('cpu').getJobs(), system.queue('gpu').getJobs()]);
    return jobs.flat().filter(({ name }) => name === PROBE_JOB).length;
  }

  /** An unanswered probe is taken away behind the answer's back. */
  async function untilNoProbeIsLeft(): Promise<void> {
    while ((await probesLeft()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('answers 200 when a probe went through both queues and back', async () => {
    const { status, body, headers } = await system.get('/v1/system-check');
    expect(body).toEqual({ api: true, database: true, cpu_queue: works, gpu_queue: works });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await probesLeft()).toBe(0);
  });

  it('says so when no worker runs, leaves no probe behind, and sees a worker that is back', async () => {
    await system.stopWorker();
    const { status, body } = await system.get('/v1/system-check');
    const unanswered = fails('no worker answered');
    expect(body).toEqual({ api: true, database: true, cpu_queue: unanswered, gpu_queue: unanswered });
    expect(status).toBe(503);
    await untilNoProbeIsLeft();

    await system.startWorker();
    expect((await system.get('/v1/system-check')).status).toBe(200);
  });

  it('says so when one queue is stopped', async () => {
    await system.queue('gpu').pause();
    const { status, body } = await system.get('/v1/system-check');
    await system.queue('gpu').resume();
    expect(body).toEqual({ api: true, database: true, cpu_queue: works, gpu_queue: fails('no worker answered') });
    expect(status).toBe(503);
    await untilNoProbeIsLeft();
  });

  it('says so when the database is stopped, without naming it, and sees it back', async () => {
    await proxy.refuse();
    const { status, body, text } = await system.get('/v1/system-check');
    const down = fails('the queue took no job');
    expect(body).toEqual({ api: true, database: false, cpu_queue: down, gpu_queue: down });
    expect(status).toBe(503);
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|heddle|\.js/);

    await proxy.pass();
    await system.until('/v1/system-check', 200);
  });

  it('still answers when the database hangs, again and again', async () => {
    proxy.hang();
    const down = fails('the queue took no job');
    for (let round = 0; round < 3; round++) {
      const { status, body } = await system.get('/v1/system-check');
      expect(body).toEqual({ api: true, database: false, cpu_queue: down, gpu_queue: down });
      expect(status).toBe(503);
    }

    await proxy.pass();
    await system.until('/v1/system-check', 200);
    await untilNoProbeIsLeft();
  });
});
