import { startApi, type TestApi } from '../../../support/api.js';
import { type Answer, TraceClient } from '../objects/trace-client.js';

const DAY_MS = 86_400_000;

describe('feedback, summed up', () => {
  let api: TestApi;
  let client: TraceClient;

  beforeAll(async () => {
    api = await startApi();
    const member = await api.given.member();
    client = new TraceClient(api.url, member, member.entity);
    for (const rating of [0.25, 0.75]) {
      const said = {
        project_id: client.projectId,
        weave_ref: `weave:///${client.projectId}/call/call-1`,
        feedback_type: 'wandb.runnable.judge',
        runnable_ref: `weave:///${client.projectId}/object/judge:v1`,
        call_ref: `weave:///${client.projectId}/call/judgement`,
        payload: { output: 1 },
        scorer_ratings: { helpful: rating },
      };
      const answer = await client.post('/feedback/create', said);
      if (answer.status !== 200) throw new Error(answer.text);
    }
  });
  afterAll(() => api.close());

  const aggregate = (after_ms: number, before_ms: number): Promise<Answer> =>
    client.post('/feedback/aggregate', { project_id: client.projectId, after_ms, before_ms });
  const total = async (after_ms: number, before_ms: number): Promise<number> => {
    const { buckets } = (await aggregate(after_ms, before_ms)).json<{ buckets: { total_count: number }[] }>();
    return buckets.reduce((sum, { total_count }) => sum + total_count, 0);
  };

  it('is that of a stretch of time', async () => {
    const now = Date.now();
    expect(await total(now - DAY_MS, now + DAY_MS)).toBe(2);
    expect(await total(now - 2 * DAY_MS, now - DAY_MS)).toBe(0);
  });

  it('is that of all years there are, and of no others', async () => {
    const [first, last] = [Date.UTC(0, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)];
    expect(await total(first, last)).toBe(2);
    expect((await aggregate(first, last + 1)).status).toBe(422);
    expect((await aggregate(-(2 ** 63), 2 ** 63)).status).toBe(422);
  });
});
