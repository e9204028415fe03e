import { randomUUID } from 'node:crypto';
import { Product } from '../support/product.js';

const KEY = `hd_${'k'.repeat(43)}`;
/** Each test has its own. */
let project: string;
const headers = { authorization: `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}` };

function batch(ids: string[]): unknown {
  const now = new Date().toISOString();
  return {
    batch: ids.flatMap((id) => [
      {
        mode: 'start',
        req: {
          start: {
            project_id: project,
            id,
            trace_id: id,
            op_name: 'op',
            started_at: now,
            attributes: {},
            inputs: { id },
          },
        },
      },
      { mode: 'end', req: { end: { project_id: project, id, ended_at: now, output: id, summary: {} } } },
    ]),
  };
}

/** Sends a batch, again until it is answered 200, as the SDKs do. Gives the ids once they are safe. */
async function sendUntilSafe(product: Product, ids: string[]): Promise<string[]> {
  for (;;) {
    const response = await fetch(`${product.url}/call/upsert_batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify(batch(ids)),
    }).catch(() => undefined);
    if (response?.status === 200) return ids;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function storedIds(product: Product): Promise<string[]> {
  const response = await fetch(`${product.url}/calls/stream_query`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ project_id: project, columns: ['id', 'output'] }),
  });
  const lines = (await response.text()).split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { id: string; output: string })
    .map(({ id, output }) => (output === id ? id : ''));
}

describe('what was answered 200', () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY });
  }, 120_000);
  beforeEach(() => {
    project = `admin/${randomUUID()}`;
  });
  afterAll(() => product.remove());

  it('is there once, after the API was killed again and again in the middle of 1,000 batches', async () => {
    const batches = Array.from({ length: 1000 }, () => Array.from({ length: 5 }, () => randomUUID()));
    const safe: string[] = [];
    let next = 0;
    const client = async (): Promise<void> => {
      for (let mine = next++; mine < batches.length; mine = next++)
        safe.push(...(await sendUntilSafe(product, batches[mine]!)));
    };
    const kills = (async () => {
      for (const share of [0.2, 0.5, 0.8]) {
        while (next < share * batches.length) await new Promise((resolve) => setTimeout(resolve, 5));
        product.kill9('api');
      }
    })();
    await Promise.all([client(), client(), client(), client(), kills]);
    expect((await storedIds(product)).sort()).toEqual(safe.sort());
    expect(safe).toHaveLength(5000);
  }, 180_000);

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'survives %s of the whole product',
    async (signal) => {
      const ids = await sendUntilSafe(product, [randomUUID(), randomUUID()]);
      await product.kill(signal);
      await product.start({ ADMIN_API_KEY: KEY });
      expect((await storedIds(product)).sort()).toEqual(ids.sort());
    },
    120_000,
  );
});
