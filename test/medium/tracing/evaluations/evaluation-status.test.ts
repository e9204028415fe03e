import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from '../objects/trace-client.js';

describe('How far an evaluation is', () => {
  let api: TestApi;
  let client: TraceClient;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    const user = await api.given.member();
    client = new TraceClient(api.url, user, user.entity, `status-${++counter}`);
  });

  const status = async (id: string) => (await client.post('/evaluations/status', { call_id: id })).json()['status'];
  const ref = (id: string) => `weave:///${client.projectId}/object/${id}:latest`;
  const start = async (id: string, more: object = {}): Promise<void> => {
    const made = { op_name: 'Evaluation.evaluate', started_at: '2026-01-31T12:00:00Z', trace_id: 't', attributes: {} };
    await client.post('/call/start', { start: { project_id: client.projectId, id, inputs: {}, ...made, ...more } });
  };
  const end = async (id: string, more: object = {}): Promise<void> => {
    const made = { project_id: client.projectId, id, ended_at: '2026-01-31T12:00:05Z', summary: {} };
    await client.post('/call/end', { end: { ...made, ...more } });
  };

  it('tells the rows that are done, of all that its dataset has', async () => {
    const { digest } = await client.createTable([{ q: 1 }, { q: 2 }, { q: 3 }]);
    await client.publish('rows', JSON.stringify({ rows: `weave:///${client.projectId}/table/${digest}` }));
    await client.publish('quality', JSON.stringify({ dataset: ref('rows') }));
    await start('e', { inputs: { self: ref('quality') } });
    expect(await status('e')).toEqual({ code: 'running', completed_rows: 0, total_rows: 3 });
    for (const id of ['1', '2']) await start(id, { parent_id: 'e', op_name: 'Evaluation.predict_and_score' });
    await end('1');
    expect(await status('e')).toEqual({ code: 'running', completed_rows: 1, total_rows: 3 });
  });

  it('knows of no more rows than are done where the dataset is not to be found', async () => {
    await start('e', { inputs: { self: ref('none') } });
    await start('1', { parent_id: 'e' });
    await end('1');
    expect(await status('e')).toEqual({ code: 'running', completed_rows: 1, total_rows: 1 });
    await client.publish('hidden', '{"dataset": "weave:///nobody/knows/object/rows:v0"}');
    await start('f', { inputs: { self: ref('hidden') } });
    expect(await status('f')).toEqual({ code: 'running', completed_rows: 0, total_rows: 0 });
  });

  it('has what came out of it', async () => {
    await start('e');
    await end('e', { output: { exact: { mean: 0.5 } } });
    expect(await status('e')).toEqual({ code: 'complete', output: { exact: { mean: 0.5 } } });
    await start('f');
    await end('f', { output: 1 });
    expect(await status('f')).toEqual({ code: 'complete', output: { output: 1 } });
  });

  it('has the reason where it failed, and is not found where it is not', async () => {
    await start('e');
    await end('e', { exception: 'no model' });
    expect(await status('e')).toEqual({ code: 'failed', error: 'no model' });
    expect(await status('none')).toEqual({ code: 'not_found' });
  });

  it('is refused for calls that are none', async () => {
    await start('e', { op_name: 'predict' });
    expect(await client.post('/evaluations/status', { call_id: 'e' })).toMatchObject({ status: 422 });
  });
});
