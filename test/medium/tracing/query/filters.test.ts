import { QueryClient, startQueries } from './query-client.js';

const REF = 'weave:///team/project/object/prompt:v1';
const OP = 'weave:///team/project/op/answer';

describe('The filter of a call query', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    await calls.given(
      { id: 'root', trace_id: 't1', op_name: `${OP}:abc`, thread_id: 'th1', turn_id: 'tu1', wb_run_id: 'run1' },
      { id: 'child', trace_id: 't1', op_name: `${OP}:def`, parent_id: 'root', thread_id: 'th1', inputs: { p: REF } },
      { id: 'other', trace_id: 't2', op_name: `${OP}s:abc`, turn_id: 'tu2', wb_run_id: 'run2' },
      {
        id: 'plain',
        trace_id: 't3',
        op_name: 'answer',
        parent_id: 'other',
        ended_at: 1769900000,
        output: [{ r: REF }],
      },
    );
  });
  afterAll(() => calls.api.close());

  it.each([
    ['op_names', [`${OP}:abc`], 'root'],
    ['op_names', [`${OP}:*`], 'root child'],
    ['op_names', [`${OP}:*`, 'answer'], 'root child plain'],
    ['op_names', ['%:*', '_nswer', 'answer%'], ''],
    ['input_refs', [REF, 'weave:///other'], 'child'],
    ['input_refs', [`${REF.slice(0, REF.lastIndexOf(':'))}:*`], 'child'],
    ['input_refs', ['weave:///acme:*'], ''],
    ['output_refs', [REF], 'plain'],
    ['parent_ids', ['root', 'other'], 'child plain'],
    ['trace_ids', ['t1'], 'root child'],
    ['call_ids', ['plain', 'root', 'unknown'], 'root plain'],
    ['thread_ids', ['th1'], 'root child'],
    ['turn_ids', ['tu1', 'tu2'], 'root other'],
    ['wb_run_ids', ['run2'], 'other'],
    ['trace_roots_only', true, 'root other'],
    ['trace_roots_only', false, 'root child other plain'],
  ])('%s %j', async (name, value, found) => {
    expect(await calls.ids({ filter: { [name]: value } })).toBe(found);
  });

  it('finds the calls of a user', async () => {
    const [call] = await calls.find({ limit: 1 });
    expect(await calls.count({ filter: { wb_user_ids: [call?.['wb_user_id'], 'nobody'] } })).toBe(4);
    expect(await calls.count({ filter: { wb_user_ids: ['nobody'] } })).toBe(0);
  });

  it('wants all of its fields to match, and the query, too', async () => {
    const filter = { trace_ids: ['t1', 't2'], trace_roots_only: true };
    expect(await calls.ids({ filter })).toBe('root other');
    const query = { $expr: { $eq: [{ $getField: 'wb_run_id' }, { $literal: 'run2' }] } };
    expect(await calls.ids({ filter, query })).toBe('other');
    expect(await calls.ids({ filter: { ...filter, thread_ids: ['none'] } })).toBe('');
  });

  it('takes null and an empty list for no filter, as the SDKs send them', async () => {
    expect(await calls.count({ filter: null, query: null, sort_by: null, limit: null, columns: null })).toBe(4);
    expect(await calls.count({ filter: { op_names: [], trace_ids: null, trace_roots_only: null } })).toBe(4);
  });

  it('finds ids that PostgreSQL can not store as they are, and long ones', async () => {
    const odd = new QueryClient(calls.api, calls.user, 'odd');
    const ids = ['nul\u0000', 'lone\ud800', '\ufdd0', `long${'é'.repeat(3000)}`];
    await odd.given(...ids.map((id) => ({ id, op_name: `${id}:v1`, thread_id: id })));
    for (const id of ids) {
      expect(await odd.ids({ filter: { call_ids: [id] } })).toBe(id);
      expect(await odd.ids({ filter: { thread_ids: [id], op_names: [`${id}:v1`] } })).toBe(id);
      expect(await odd.where({ $eq: [{ $getField: 'thread_id' }, { $literal: id }] })).toBe(id);
      expect(await odd.where({ $in: [{ $getField: 'id' }, [{ $literal: id }]] })).toBe(id);
    }
    expect(await odd.ids({ filter: { op_names: ['nul\u0000:*'] } })).toBe('nul\u0000');
  });

  it('hides calls that are deleted, or have not started', async () => {
    const hidden = new QueryClient(calls.api, calls.user, 'hidden');
    await hidden.given({ id: 'a' }, { id: 'b' }, { id: 'c', parent_id: 'b' });
    const end = { project_id: hidden.projectId, id: 'early', ended_at: 1, summary: {} };
    await hidden.upsert(JSON.stringify({ batch: [{ mode: 'end', req: { end } }] }));
    await hidden.post('/calls/delete', { call_ids: ['b'] });
    expect(await hidden.ids()).toBe('a');
    expect(await hidden.ids({ filter: { call_ids: ['b', 'c', 'early'] } })).toBe('');
    expect(await hidden.count()).toBe(1);
  });
});
