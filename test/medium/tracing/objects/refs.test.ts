import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from './trace-client.js';

describe('references', () => {
  let api: TestApi;
  let client: TraceClient;
  let stranger: TraceClient;
  let base: string;

  beforeAll(async () => {
    api = await startApi();
    const [member, other] = [await api.given.member(), await api.given.member()];
    client = new TraceClient(api.url, member, member.entity);
    stranger = new TraceClient(api.url, other, other.entity);
    base = `weave:///${client.projectId}`;
  });
  afterAll(() => api.close());

  it('read objects and ops by digest, number and latest, each in its place, and null for what is missing', async () => {
    const digest = await client.publish('greeting', '{"text": "hi"}');
    await client.publish('greeting', '{"text": "hello"}');
    const op = await client.publish('greeting', '{"_type": "CustomWeaveType", "weave_type": {"type": "Op"}}');
    const refs = [
      `${base}/object/greeting:${digest}`,
      `${base}/object/missing:latest`,
      `${base}/object/greeting:latest`,
      `${base}/object/greeting:v0`,
      `${base}/op/greeting:${op}`,
      `${base}/op/greeting:v0`,
      'weave:///nonsense',
      'no reference',
    ];
    const isOp = expect.objectContaining({ _type: 'CustomWeaveType' }) as unknown;
    const [hi, hello] = [{ text: 'hi' }, { text: 'hello' }];
    expect(await client.readRefs(refs)).toEqual([hi, null, hello, hi, isOp, isOp, null, null]);
  });

  it('go into values by attribute, key and index', async () => {
    const digest = await client.publish('nested', '{"a": {"b/c": [10, {"d": "\\u0000"}]}}');
    const ref = `${base}/object/nested:${digest}`;
    expect(
      await client.readRefs([
        `${ref}/attr/a/key/b%2Fc/index/0`,
        `${ref}/attr/a/key/b%2Fc/index/1/key/d`,
        `${ref}/attr/a/index/0`,
        `${ref}/attr/a/key/b%2Fc/index/2`,
        `${ref}/attr/a/key`,
      ]),
    ).toEqual([10, '\u0000', null, null, null]);
  });

  it('find the rows of a dataset through its table, many at once', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ question: n, nested: { n } }));
    const table = await client.createTable(rows);
    const digest = await client.publish('dataset', `{"rows": "${base}/table/${table.digest}"}`);
    const refs = table.row_digests.map((row) => `${base}/object/dataset:${digest}/attr/rows/id/${row}`);
    expect(await client.readRefs(refs)).toEqual(rows);
    const row = table.row_digests[7]!;
    expect(
      await client.readRefs([
        `${refs[7]}/key/nested/key/n`,
        `${base}/table/${table.digest}/id/${row}/key/question`,
        `${base}/object/dataset:latest/attr/rows`,
        `${base}/table/${table.digest}/id/unknown`,
        `${base}/table/${table.digest}`,
      ]),
    ).toEqual([7, 7, `${base}/table/${table.digest}`, null, null]);
  });

  it('follow references within values, and stop in a circle', async () => {
    await client.publish('inner', '{"secret": 42}');
    await client.publish('outer', `{"model": "${base}/object/inner:latest", "self": "${base}/object/outer:latest"}`);
    const outer = `${base}/object/outer:latest`;
    const circle = `${outer}${'/attr/self'.repeat(30)}/attr/model`;
    expect(await client.readRefs([`${outer}/attr/model/attr/secret`, circle])).toEqual([42, null]);
  });

  it('read calls', async () => {
    const id = '0190b7f1-6c2d-7bb0-9f57-0d1c2f6f1f10';
    await client.call({ id, summary: { note: ['why?'] } });
    const [call, question, other] = await client.readRefs([
      `${base}/call/${id}`,
      `${base}/call/${id}/attr/summary/key/note/index/0`,
      `${base}/call/unknown`,
    ]);
    expect([call, question, other]).toEqual([expect.objectContaining({ id, op_name: 'op' }), 'why?', null]);
  });

  it('are null for deleted objects, and for those of another team, also where a value leads there', async () => {
    await client.publish('deleted', '1');
    await client.post('/obj/delete', { object_id: 'deleted' });
    const digest = await client.publish('ours', '{"key": "ours"}');
    const ours = `${base}/object/ours:${digest}`;
    await stranger.publish('bait', `{"model": "${ours}"}`);
    const bait = `weave:///${stranger.projectId}/object/bait:latest`;
    expect(await stranger.readRefs([ours, `${bait}/attr/model`, `${bait}/attr/model/attr/key`])).toEqual([
      null,
      ours,
      null,
    ]);
    expect(await client.readRefs([`${base}/object/deleted:latest`])).toEqual([null]);
  });
});
