import { eq, field, literal, type QueryClient, startQueries } from './query-client.js';

describe('Queries that follow references', () => {
  let calls: QueryClient;
  const refs: Record<string, string> = {};

  const publish = async (object_id: string, val: unknown): Promise<void> => {
    const response = await calls.post('/obj/create', { obj: { project_id: calls.projectId, object_id, val } });
    const { digest } = (await response.json()) as { digest: string };
    refs[object_id] = `weave:///${calls.projectId}/object/${object_id}:${digest}`;
  };

  beforeAll(async () => {
    calls = await startQueries();
    await publish('prompt', { text: 'Hello \u0000', size: 5 });
    await publish('large', { name: 'large', temperature: 0.9, prompt: refs['prompt'] });
    await publish('small', { name: 'small', temperature: 0.1 });
    await calls.given(
      { id: 'a', inputs: { model: refs['large'], n: 1 } },
      { id: 'b', inputs: { model: refs['small'], n: 2 } },
      { id: 'c', inputs: { model: `weave:///${calls.projectId}/object/none:v0` } },
      { id: 'd', inputs: { model: { name: 'small' } } },
    );
  });
  afterAll(() => calls.api.close());

  const where = (condition: object, expand_columns: string[]): Promise<string> =>
    calls.ids({ query: { $expr: condition }, expand_columns, return_expanded_column_values: false });

  it('look at what a reference names, where they are told to', async () => {
    expect(await where(eq('inputs.model.name', 'small'), ['inputs.model'])).toBe('b');
    expect(await where(eq('inputs.model.name', 'small'), [])).toBe('d');
    expect(await where({ $gt: [field('inputs.model.temperature'), literal(0.5)] }, ['inputs.model'])).toBe('a');
    expect(await where(eq('inputs.n', 2), ['inputs.model'])).toBe('b');
  });

  it('go on from reference to reference', async () => {
    const columns = ['inputs.model', 'inputs.model.prompt'];
    expect(await where(eq('inputs.model.prompt.size', 5), columns)).toBe('a');
    const text = { $contains: { input: field('inputs.model.prompt.text'), substr: literal('Hello') } };
    expect(await where(text, columns)).toBe('a');
  });

  it('sort by it, and count', async () => {
    const sort_by = [{ field: 'inputs.model.temperature', direction: 'asc' }];
    expect(await calls.ids({ sort_by, expand_columns: ['inputs.model'] })).toBe('b a c d');
    const query = { $expr: eq('inputs.model.name', 'large') };
    const response = await calls.post('/calls/query_stats', { query, expand_columns: ['inputs.model'] });
    expect(await response.json()).toMatchObject({ count: 1 });
  });

  it('return what the references name, and the references in it', async () => {
    const [a, b, c, d] = await calls.find({ expand_columns: ['inputs.model.prompt', 'inputs.model'] });
    expect(a!.inputs).toEqual({
      model: {
        name: 'large',
        temperature: 0.9,
        prompt: { text: 'Hello \u0000', size: 5, _ref: refs['prompt'] },
        _ref: refs['large'],
      },
      n: 1,
    });
    expect(b!.inputs).toEqual({ model: { name: 'small', temperature: 0.1, _ref: refs['small'] }, n: 2 });
    expect([c!.inputs, d!.inputs]).toEqual([{ model: null }, { model: { name: 'small' } }]);
  });

  it('leave them as they are, unless told to', async () => {
    for (const more of [{}, { expand_columns: ['inputs.model'], return_expanded_column_values: false }]) {
      const [a] = await calls.find(more);
      expect(a!.inputs).toEqual({ model: refs['large'], n: 1 });
    }
  });
});

describe('Sizes of calls', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    await calls.given(
      { id: 'root', trace_id: 't', inputs: { a: 'ü' }, attributes: {} },
      { id: 'child', trace_id: 't', parent_id: 'root', inputs: {}, attributes: {} },
    );
  });
  afterAll(() => calls.api.close());

  it('are the bytes of their payloads, and of a root those of its trace', async () => {
    const [root, child] = await calls.find({
      include_storage_size: true,
      include_total_storage_size: true,
      columns: ['id'],
    });
    const own = Buffer.byteLength('{"a":"ü"}{}');
    expect(root).toMatchObject({ storage_size_bytes: own, total_storage_size_bytes: own + 4 });
    expect(child).toMatchObject({ storage_size_bytes: 4, total_storage_size_bytes: null });
    expect((await calls.find())[0]).not.toHaveProperty('storage_size_bytes');
  });

  it('are counted with the calls, and whether there may be more', async () => {
    const stats = async (body: object): Promise<unknown> => (await calls.post('/calls/query_stats', body)).json();
    const bytes = Buffer.byteLength('{"a":"ü"}{}{}{}');
    expect(await stats({ include_total_storage_size: true })).toEqual({
      count: 2,
      has_more: false,
      total_storage_size_bytes: bytes,
    });
    expect(await stats({ limit: 1 })).toEqual({ count: 1, has_more: true, total_storage_size_bytes: null });
  });
});
