import { as } from '../accounts/requests.js';
import { eventually } from '../../support/eventually.js';
import { BASE_MODEL, ChatApi, type Json, user } from './chat-api.js';

interface Call {
  op_name: string;
  started_at: string;
  ended_at: string;
  exception: string | null;
  inputs: Json;
  output: { choices: { message: { content: string } }[] } | null;
  attributes: Json;
  summary: { usage?: Json; weave: { status: string; latency_ms: number } };
  wb_user_id: string;
}

describe('chat of a project that wants it traced', () => {
  let t: ChatApi;
  let model: { id: string; ref: string };
  beforeAll(async () => {
    t = await ChatApi.start();
    model = await t.model();
  });
  afterAll(() => t.close());

  const trace = (on: boolean) =>
    t.api.database.pool.query('UPDATE projects SET chat_tracing = $1 WHERE name = $2', [on, 'loom']);
  beforeEach(() => trace(true));

  /** Waits for calls with this seed: each test has its own. */
  async function calls(seed: number, count = 1): Promise<Call[]> {
    const read = async (): Promise<Call[]> => {
      const body = JSON.stringify({ project_id: `${t.ada.entity}/loom` });
      const response = await fetch(`${t.url}/calls/stream_query`, { method: 'POST', headers: t.ada.basic, body });
      const lines = (await response.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Call).filter(({ inputs }) => inputs['seed'] === seed);
    };
    return eventually(read, (found) => found.length >= count);
  }

  it('is a call: who asked what, what was answered, and what it took', async () => {
    const content = await t.text({ model: model.ref, seed: 1 });
    const [call] = await calls(1);
    expect(call).toMatchObject({
      op_name: 'openai.chat.completions.create',
      wb_user_id: t.ada.username,
      exception: null,
      inputs: { model: model.ref, messages: [user('Hello!')], max_tokens: 12 },
      attributes: { step: 0, base_model: BASE_MODEL },
      output: { choices: [{ message: { content }, finish_reason: expect.any(String) }] },
      summary: {
        weave: { status: 'success' },
        usage: { [model.ref]: { requests: 1, prompt_tokens: expect.any(Number) } },
      },
    });
    expect(call!.summary.weave.latency_ms).toBeGreaterThanOrEqual(0);
  });

  it('is the whole answer also where it was streamed', async () => {
    const fields = { model: model.ref, temperature: 0, max_tokens: 12 };
    await (await t.open({ ...fields, seed: 2 })).text();
    const [call] = await calls(2);
    expect(call!.output!.choices[0]!.message.content).toBe(await t.text({ ...fields, seed: 3 }));
  });

  it('says what went wrong', async () => {
    await t.post({ model: model.ref, seed: 4, max_tokens: 100_000 });
    const [failed] = await calls(4);
    expect(failed).toMatchObject({ exception: expect.stringContaining('maximum context length'), output: null });
    const client = new AbortController();
    await t.open({ model: model.ref, seed: 5, ignore_eos: true, n: 8 }, client.signal);
    client.abort();
    const [left] = await calls(5);
    expect(left).toMatchObject({ exception: expect.stringContaining('left'), summary: { weave: { status: 'error' } } });
  });

  it("is the project's also where somebody asks who may only read", async () => {
    const viewer = await t.api.given.member();
    const sql = `INSERT INTO project_members (project_id, user_id, role) SELECT id, $1, 'viewer' FROM projects WHERE name = 'loom'`;
    await t.api.database.pool.query(sql, [viewer.id]);
    expect((await t.post({ model: model.ref, seed: 6 }, as(t.api, viewer))).status).toBe(200);
    expect(await calls(6)).toMatchObject([{ wb_user_id: viewer.username }]);
  });

  it('is as many calls as there were chats', async () => {
    await Promise.all(Array.from({ length: 40 }, () => t.post({ model: model.ref, seed: 7, max_tokens: 1 })));
    expect(await calls(7, 40)).toHaveLength(40);
  });

  it('leaves no trace where the project does not say so', async () => {
    await trace(false);
    await t.post({ model: model.ref, seed: 8 });
    await trace(true);
    await t.post({ model: model.ref, seed: 9 });
    // Traces are stored in the order of their chats.
    await calls(9);
    expect(await calls(8, 0)).toEqual([]);
  });
});
