import { BASE_MODEL, ModelsApi } from './models-api.js';

describe('models that exist', () => {
  let t: ModelsApi;
  beforeAll(async () => {
    t = await ModelsApi.start();
  });
  afterAll(() => t.close());

  it('are never returned to who asks for another base model: the answer names both', async () => {
    await t.register({ name: 'based' });
    const other = await t.register({ name: 'based', base_model: 'acme/other', return_existing: true });
    expect(other).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'base_model'], type: 'other_base_model', input: 'acme/other' }] },
    });
    const [{ msg }] = other.body['detail'] as [{ msg: string }];
    for (const base of [BASE_MODEL, 'acme/other']) expect(msg).toContain(`'${base}'`);
  });
});
