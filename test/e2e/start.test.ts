import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../support/free-port.mjs';
import { Product } from '../support/product.js';

const ADMIN_KEY = /Admin key\s+(\S+)/;

async function health(product: Product): Promise<number> {
  return (await fetch(`${product.url}/v1/health`)).status;
}

describe('npm start', () => {
  let product: Product;
  beforeEach(async () => (product = await Product.create()));
  afterEach(() => product.remove());

  it('starts everything, says where it is, and shows the admin key once, also on another port', async () => {
    await product.start();
    const [, key] = ADMIN_KEY.exec(product.console)!;
    expect(product.console).toContain(`${product.url}/docs`);
    expect(await health(product)).toBe(200);
    await expectSystemCheck(product);
    expect(await usernameOf(product.url, key!)).toBe('admin');

    await product.kill('SIGTERM');
    const port = await freePort();
    await product.start({ PORT: String(port) });
    expect(product.console).not.toMatch(ADMIN_KEY);
    expect(await usernameOf(`http://127.0.0.1:${port}`, key!)).toBe('admin');

    await product.kill('SIGINT');
    await expect(usernameOf(`http://127.0.0.1:${port}`, key!)).rejects.toThrow();
  }, 120_000);

  it.each([
    ['a bad setting', { PORT: 'eighty' }, /PORT/],
    ['a folder that can not be made', { DATA_DIR: '/dev/null/data' }, /DATA_DIR \(\/dev\/null\/data\)/],
    ['a password that ends the address', { DATABASE_URL: 'postgres://u:hunter2/#@db/heddle' }, /DATABASE_URL.*%2F/],
    ['an address of another machine', { HOST: '192.0.2.1' }, /192\.0\.2\.1.*HOST/],
    ['a database that is not there', { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/heddle' }, /127\.0\.0\.1:1/],
    ['a Redis that is not there', { REDIS_URL: 'redis://user:hunter2@127.0.0.1:1' }, /127\.0\.0\.1:1/],
  ])(
    'refuses %s with one clear line and exit code 1',
    async (_what, settings, place) => {
      expect(await product.run(settings)).toBe(1);
      const complaints = product.console.split('\n').filter((line) => /^heddle( \w+)?: /.test(line));
      expect(complaints.join()).toMatch(place);
      expect(product.console).not.toContain('hunter2');
      expect(product.console).not.toMatch(/^\s+at /m);
    },
    120_000,
  );

  it('says so when its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const code = await product.run({ PORT: String(port) });
    await new Promise((resolve) => other.close(resolve));
    expect(code).toBe(1);
    expect(product.console).toMatch(new RegExp(`in use.*:${port}.*set PORT`));
  }, 120_000);

  it('refuses a second start on its data, and says where the first one is', async () => {
    await product.start();
    const second = await Product.create();
    expect(await second.run({ DATA_DIR: product.dataDir })).toBe(1);
    expect(second.console).toContain(`already, at ${product.url} (process ${product.pid})`);
    await second.remove();
    expect(await health(product)).toBe(200);
    // What a killed one has left is taken over.
    await product.kill('SIGKILL');
    await product.start();
    expect(await health(product)).toBe(200);
  }, 120_000);

  it('drains after SIGTERM: readiness is 503 while requests are still answered', async () => {
    await product.start({ DRAIN_SECONDS: '4' });
    const ended = product.kill('SIGTERM');
    let ready: Response;
    do ready = await fetch(`${product.url}/health/ready`);
    while (ready.status === 200);
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'shutting_down' }]);
    expect((await fetch(`${product.url}/v1/me`)).status).toBe(401);
    await ended;
    await expect(fetch(`${product.url}/health/live`)).rejects.toThrow();
  }, 120_000);

  it('ends with npm, when a signal reaches only that', async () => {
    const underNpm = await Product.create(['npm', 'start']);
    await underNpm.start();
    await underNpm.kill('SIGTERM');
    await untilGone(underNpm);
    await underNpm.remove();
  }, 120_000);
});

async function usernameOf(url: string, key: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { username?: unknown }).username;
}

/** Through real queues. */
async function expectSystemCheck(product: Product): Promise<void> {
  const response = await fetch(`${product.url}/v1/system-check`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    api: true,
    database: true,
    cpu_queue: { success: true, errors: [] },
    gpu_queue: { success: true, errors: [] },
  });
}

/** Waits until nobody answers; the test's own limit ends a wait in vain. */
async function untilGone(product: Product): Promise<void> {
  while (await health(product).catch(() => undefined)) await new Promise((resolve) => setTimeout(resolve, 100));
}
