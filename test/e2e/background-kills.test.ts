import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { Product } from '../support/product.js';

const KEY = `hd_${'k'.repeat(43)}`;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

interface Response {
  id: string;
  status: string;
  error: { message: string } | null;
  usage: { output_tokens: number } | null;
}

interface Event {
  type: string;
  sequence_number: number;
  response: Response;
}

describe('responses in the background', () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY, CHAT_REQUESTS_PER_USER: '6' });
  }, 120_000);
  afterAll(() => product.remove());

  const url = (path = '') => `${product.url}/v1/responses${path}`;
  async function create(fields: object = {}): Promise<Response> {
    const asked = { model: 'heddle/shuttle-1m', input: 'Hello!', background: true, ...fields };
    const answer = await fetch(url(), { method: 'POST', headers, body: JSON.stringify(asked) });
    return (await answer.json()) as Response;
  }
  const get = async (id: string): Promise<Response> =>
    (await (await fetch(url(`/${id}`), { headers })).json()) as Response;
  const isUnderWay = ({ status }: Response): boolean => ['queued', 'in_progress'].includes(status);

  async function events(id: string): Promise<Event[]> {
    const text = await (await fetch(url(`/${id}?stream=true`), { headers })).text();
    const data = text
      .trim()
      .split('\n\n')
      .map((event) => event.slice(event.indexOf('data: ') + 6));
    return data.map((one) => JSON.parse(one) as Event);
  }

  /** Opens a stream of many tokens and reads its first events. */
  async function opened(): Promise<string> {
    const asked = { model: 'heddle/shuttle-1m', input: 'Hello!', background: true, stream: true, ignore_eos: true };
    const answer = await fetch(url(), { method: 'POST', headers, body: JSON.stringify(asked) });
    let text = '';
    const reader = answer.body!.getReader();
    while (!text.includes('output_text.delta')) text += new TextDecoder().decode((await reader.read()).value);
    void reader.cancel().catch(() => undefined);
    return /resp_[\da-f]{32}/.exec(text)![0];
  }

  /** Takes a place for longer than the test. */
  async function crowd(): Promise<void> {
    const messages = [{ role: 'user', content: 'Hello!' }];
    const body = JSON.stringify({ model: 'heddle/shuttle-1m', messages, n: 16, ignore_eos: true, stream: true });
    const answer = await fetch(`${product.url}/v1/chat/completions`, { method: 'POST', headers, body });
    void answer.text().catch(() => undefined);
  }

  it('have failed in plain words once their process was killed, and those that were whole are still', async () => {
    const whole = await eventually(
      () => create({ max_output_tokens: 5, ignore_eos: true }).then(({ id }) => pause(500).then(() => get(id))),
      ({ usage }) => usage?.output_tokens === 5,
      30_000,
    );
    for (let i = 0; i < 4; i++) await crowd();
    // Two are made, slowly since there are many others, and the last two wait for their turn.
    const running = [await opened(), await opened()];
    const waiting = [await create(), await create()].map(({ id }) => id);
    product.kill9('api');
    const lost = [...running, ...waiting];
    await eventually(
      () => fetch(`${product.url}/health/ready`).catch(() => null),
      (answer) => answer?.ok === true,
      60_000,
    );
    const all = await eventually(
      () => Promise.all(lost.map(get)),
      (responses) => !responses.some(isUnderWay),
      60_000,
    );
    const failures = all.filter(({ status }) => status === 'failed');
    expect(failures).toHaveLength(lost.length);
    for (const { id, error } of failures) {
      expect(error!.message).toMatch(/process that made this response ended before/);
      if (!running.includes(id)) continue;
      const told = await events(id);
      expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, i) => i));
      expect(told[0]!.type).toBe('response.created');
      expect(told.at(-1)).toMatchObject({ type: 'response.failed', response: { id, status: 'failed' } });
    }
    expect(await get(whole.id)).toEqual(whole);
    const next = await create({ max_output_tokens: 5 });
    expect(
      (
        await eventually(
          () => get(next.id),
          (response) => !isUnderWay(response),
          30_000,
        )
      ).error,
    ).toBeNull();
  }, 180_000);
});
