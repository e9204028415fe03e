import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Product } from '../support/product.js';
import { SafeCalls } from '../support/safe-calls.js';

const KEY = `hd_${'k'.repeat(43)}`;
const BATCHES = 1000;

describe('what was answered 200', () => {
  let product: Product;
  /** Each test has its own project. */
  let calls: SafeCalls;
  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY });
  }, 120_000);
  beforeEach(() => {
    calls = new SafeCalls([product.url], KEY, `admin/${randomUUID()}`);
  });
  afterAll(() => product.remove());

  it('is there once, after the API was killed again and again in the middle of 1,000 batches', async () => {
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent++ < BATCHES) await calls.send(5);
    };
    const kills = (async () => {
      for (const share of [0.2, 0.5, 0.8]) {
        while (sent < share * BATCHES) await pause(5);
        product.kill9('api');
      }
    })();
    await Promise.all([client(), client(), client(), client(), kills]);
    expect((await calls.stored()).sort()).toEqual(calls.safe.sort());
    expect(calls.safe).toHaveLength(5 * BATCHES);
  }, 180_000);

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'survives %s of the whole product',
    async (signal) => {
      await calls.send(2);
      await product.kill(signal);
      await product.start({ ADMIN_API_KEY: KEY });
      expect((await calls.stored()).sort()).toEqual(calls.safe.sort());
    },
    120_000,
  );
});
