import { startApi, type TestApi } from '../../../support/api.js';
import { type ReadVersion, TraceClient } from './trace-client.js';

describe('objects', () => {
  let api: TestApi;
  let client: TraceClient;
  let stranger: TraceClient;

  beforeAll(async () => {
    api = await startApi();
    const [member, other] = [await api.given.member(), await api.given.member()];
    client = new TraceClient(api.url, member, member.entity);
    stranger = new TraceClient(api.url, other, member.entity);
  });
  afterAll(() => api.close());

  const query = async (body: object): Promise<ReadVersion[]> =>
    (await client.post('/objs/query', body)).json<{ objs: ReadVersion[] }>().objs;

  it('gives the digest that the SDKs compute, and the same version for the same content', async () => {
    // weave 0.54: compute_object_digest({"a": [1.0, 2], "b": "é"})
    const digests = [
      await client.publish('same', '{"b": "é", "a": [1.0, 2]}'),
      await client.publish('same', '{"a":[1.0,2],"b":"\\u00e9"}'),
    ];
    expect(new Set(digests)).toEqual(new Set(['MYxHyjMYLh4YRhYSw2ae0BfAOX9PABX9VkaDUTQttHE']));
    expect(await client.read('same', 'latest')).toMatchObject({ version_index: 0, is_latest: 1, kind: 'object' });
  });

  it('numbers new content on, and moves latest', async () => {
    const [first, second] = [await client.publish('counter', '1'), await client.publish('counter', '2')];
    expect(await client.read('counter', 'latest')).toMatchObject({ digest: second, version_index: 1, val: 2 });
    expect(await client.read('counter', 'v0')).toMatchObject({ digest: first, is_latest: 0, val: 1 });
    expect(await client.read('counter', first)).toMatchObject({ version_index: 0, val: 1 });
  });

  it.each([
    ['NUL and half a surrogate pair', '{"a": "\\u0000 \\ud800"}'],
    ['large and long numbers', '{"a": 123456789012345678901234567890, "b": 1.10, "c": 1e2}'],
    ['repeated keys and white space', '{"a": 1,  "a": 2 }'],
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
  ])('returns %s as they were sent', async (name, val) => {
    const object_id = `hostile-${name.replaceAll(/\W/g, '-')}`;
    const digest = await client.publish(object_id, val);
    const { text } = await client.post('/obj/read', { object_id, digest });
    expect(text).toContain(`"val":${val}`);
  });

  it('takes names that a reference can hold, and no others', async () => {
    for (const name of ['Größe.v-1_名前', 'x'.repeat(128)]) {
      const digest = await client.publish(name, '1');
      expect(await client.read(name, digest)).toMatchObject({ object_id: name, digest });
    }
    for (const object_id of ['a/b:c', 'a b', '\u0000', 'x'.repeat(129), ''])
      expect(
        (await client.post('/obj/create', { obj: { project_id: client.projectId, object_id, val: 1 } })).status,
      ).toBe(422);
  });

  it('lets an old value that is published again be the latest, under its old number', async () => {
    const [first, second] = [await client.publish('again', '1'), await client.publish('again', '2')];
    await client.publish('again', '1');
    expect(await client.read('again', 'latest')).toMatchObject({ digest: first, version_index: 0, is_latest: 1 });
    expect(await client.read('again', second)).toMatchObject({ version_index: 1, is_latest: 0 });
    expect(await query({ filter: { object_ids: ['again'], latest_only: true } })).toMatchObject([{ digest: first }]);
    await client.publish('again', '3');
    expect(await client.read('again', 'latest')).toMatchObject({ version_index: 2 });
  });

  it('keeps one of many equal publications, and all of many different ones', async () => {
    const same = Array.from({ length: 10 }, () => client.publish('race', '"same"'));
    const different = Array.from({ length: 10 }, (_, i) => client.publish('race', `${i}`));
    expect(new Set(await Promise.all(same)).size).toBe(1);
    await Promise.all(different);
    const versions = await query({ filter: { object_ids: ['race'] } });
    expect(versions).toHaveLength(11);
    expect(new Set(versions.map((version) => version.version_index)).size).toBe(11);
    expect(versions.filter((version) => version.is_latest === 1)).toHaveLength(1);
  });

  it('knows ops, and the classes of Weave objects', async () => {
    await client.publish('predict', '{"_type": "CustomWeaveType", "weave_type": {"type": "Op"}, "files": {}}');
    await client.publish('data', '{"_class_name": "MyData", "_bases": ["Dataset", "Object", "BaseModel"]}');
    expect(await client.read('predict', 'latest')).toMatchObject({ kind: 'op', base_object_class: null });
    expect(await client.read('data', 'v0')).toMatchObject({
      base_object_class: 'Dataset',
      leaf_object_class: 'MyData',
    });
    expect(await query({ filter: { is_op: true } })).toMatchObject([{ object_id: 'predict' }]);
    expect(await query({ filter: { base_object_classes: ['Dataset'] } })).toMatchObject([{ object_id: 'data' }]);
    expect(await query({ filter: { leaf_object_classes: ['Dataset'] } })).toEqual([]);
    const others = await query({
      filter: { exclude_base_object_classes: ['Dataset'], object_ids: ['data', 'predict'] },
    });
    expect(others).toMatchObject([{ object_id: 'predict' }]);
  });

  it('writes a class that the request names into a value that names none', async () => {
    const val = { name: 'mine', label: 'Mine', view_type: 'traces', definition: { cols: { a: true } } };
    const obj = { project_id: client.projectId, object_id: 'view', val, builtin_object_class: 'SavedView' };
    await client.post('/obj/create', { obj });
    expect(await client.read('view', 'latest')).toMatchObject({
      base_object_class: 'SavedView',
      val: { ...val, _class_name: 'SavedView', _bases: ['BaseObject', 'BaseModel'] },
    });
  });

  it.each([
    ['of no class that is built in', 'Monitor', {}, ['builtin_object_class']],
    ['without a field', 'Leaderboard', { name: 'best' }, ['val']],
    ['with a field of another type', 'AnnotationSpec', { field_schema: 'integer' }, ['val', 'field_schema']],
    ['with a deep field of another type', 'Leaderboard', { columns: [{ scorer_name: 1 }] }, ['val', 'columns', '0']],
    ['that is of another class', 'Leaderboard', { _class_name: 'X', _bases: ['Object', 'BaseModel'] }, ['val']],
    ['that is no object', 'Leaderboard', [], ['val']],
  ])('refuses a value %s', async (_name, builtin_object_class, val, place) => {
    const obj = { project_id: client.projectId, object_id: 'refused', val, builtin_object_class };
    const answer = await client.post('/obj/create', { obj });
    expect([
      answer.status,
      answer.json<{ detail: { loc: string[] }[] }>().detail[0]!.loc.slice(0, 2 + place.length),
    ]).toEqual([422, ['body', 'obj', ...place]]);
  });

  it('sorts, pages, and leaves values out', async () => {
    for (const id of ['p1', 'p2', 'p3']) await client.publish(id, `{"of": "${id}"}`);
    const filter = { object_ids: ['p1', 'p2', 'p3'] };
    const sort_by = [{ field: 'object_id', direction: 'desc' }];
    const page = await query({ filter, sort_by, limit: 1, offset: 1, metadata_only: true });
    expect(page).toMatchObject([{ object_id: 'p2', val: {} }]);
    expect((await client.post('/objs/query', { sort_by: [{ field: 'val', direction: 'asc' }] })).status).toBe(422);
  });

  it('deletes versions, falls back to the latest that is left, and revives what is published again', async () => {
    const [first, second] = [await client.publish('gone', '1'), await client.publish('gone', '2')];
    expect((await client.post('/obj/delete', { object_id: 'gone', digests: [second] })).json()).toMatchObject({
      num_deleted: 1,
      deleted_versions: [{ digest: second }],
    });
    expect(await client.read('gone', 'latest')).toMatchObject({ digest: first });
    const deleted = await client.post('/obj/read', { object_id: 'gone', digest: second });
    expect([deleted.status, deleted.json()]).toMatchObject([
      404,
      { code: 'object_deleted', deleted_at: expect.stringMatching(/^2\d{3}-.*Z$/) as string },
    ]);
    await client.publish('gone', '2');
    expect(await client.read('gone', 'latest')).toMatchObject({ digest: second, version_index: 1 });
    expect((await client.post('/obj/delete', { object_id: 'gone' })).json()).toMatchObject({ num_deleted: 2 });
    expect((await client.post('/obj/read', { object_id: 'gone', digest: 'latest' })).status).toBe(404);
  });

  it('answers 404 with a reason for what is not there, and 409 for a digest that differs', async () => {
    const missing = await client.post('/obj/read', { object_id: 'nothing', digest: 'latest' });
    expect([missing.status, typeof missing.json()['reason']]).toEqual([404, 'string']);
    const obj = { project_id: client.projectId, object_id: 'x', val: 1, expected_digest: 'other' };
    expect((await client.post('/obj/create', { obj })).status).toBe(409);
  });

  it('keeps tags on versions, and aliases that move', async () => {
    const [first, second] = [await client.publish('labelled', '1'), await client.publish('labelled', '2')];
    const tags = `/objs/labelled/versions/${first}/tags`;
    await client.post(tags, { tags: ['good', 'old'] }, 'PUT');
    await client.post(`${tags}/remove`, { tags: ['old'] });
    await client.post('/objs/labelled/aliases', { digest: first, aliases: ['prod'] }, 'PUT');
    expect(await client.read('labelled', 'prod', { include_tags_and_aliases: true })).toMatchObject({
      digest: first,
      tags: ['good'],
      aliases: ['prod'],
    });
    await client.post('/objs/labelled/aliases', { digest: 'latest', aliases: ['prod'] }, 'PUT');
    expect(await client.read('labelled', 'prod', { include_tags_and_aliases: true })).toMatchObject({
      digest: second,
      aliases: ['latest', 'prod'],
    });
    expect(await query({ filter: { tags: ['good'] } })).toMatchObject([{ digest: first }]);
    const list = await client.send(`/tags?project_id=${client.projectId}`, {});
    expect(list.json()).toEqual({ tags: ['good'] });
    for (const alias of ['latest', 'v0', 'a/b', 'a:b', ' '])
      expect((await client.post('/objs/labelled/aliases', { digest: first, aliases: [alias] }, 'PUT')).status).toBe(
        422,
      );
    for (const tag of ['a:b', 'a  b', ' ']) expect((await client.post(tags, { tags: [tag] }, 'PUT')).status).toBe(422);
    await client.post('/objs/labelled/aliases/remove', { aliases: ['prod'] });
    expect((await client.send(`/aliases?project_id=${client.projectId}`, {})).json()).toEqual({ aliases: [] });
  });

  it('shows another team nothing', async () => {
    await client.publish('secret', '"s"');
    for (const path of ['/obj/read', '/objs/query', '/obj/delete']) {
      const answer = await stranger.post(path, { object_id: 'secret', digest: 'latest' });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    await expect(stranger.publish('secret', '"t"')).rejects.toThrow('not found');
    expect(await client.read('secret', 'latest')).toMatchObject({ val: 's', version_index: 0 });
  });
});
