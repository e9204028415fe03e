import { as } from '../accounts/requests.js';
import { eventually } from '../../support/eventually.js';
import { BASE_MODEL, ChatApi } from './chat-api.js';

describe('the model of a chat', () => {
  let t: ChatApi;
  let model: { id: string; ref: string };
  /** What each step says; 0 is the base model. */
  const said: string[] = [];
  beforeAll(async () => {
    t = await ChatApi.start();
    model = await t.model();
    said.push((await t.text())!, await t.train(model, 'apple'), await t.train(model, 'zzzzz'));
  }, 60_000);
  afterAll(() => t.close());

  const says = (name: string) => t.text({ model: name });
  const unknown = {
    status: 404,
    body: { error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } },
  };

  it('is the untrained adapter at first: the base model', async () => {
    const { ref } = await t.model();
    const fresh = await t.complete({ model: ref });
    expect(fresh).toMatchObject({ model: ref, system_fingerprint: 'step0' });
    expect(fresh.choices[0]!.message.content).toBe(said[0]);
  });

  it('is its latest checkpoint, or the step or version that the name says', async () => {
    expect(new Set(said).size).toBe(3);
    for (const latest of ['', ':latest', ':step2', ':v1']) expect(await says(model.ref + latest)).toBe(said[2]);
    for (const first of [':step1', ':v0']) expect(await says(model.ref + first)).toBe(said[1]);
    expect(await says(`${model.ref}:step0`)).toBe(said[0]);
    expect((await t.complete({ model: `${model.ref}:step1` })).system_fingerprint).toBe('step1');
  });

  it('may be named with two slashes, or without the scheme', async () => {
    expect(await says(model.ref.replace('///', '//'))).toBe(said[2]);
    expect(await says(model.ref.replace('wandb-artifact:///', ''))).toBe(said[2]);
  });

  it('is the new checkpoint as soon as there is one, also for those who have just asked', async () => {
    const fresh = await t.model();
    const before = await Promise.all(Array.from({ length: 5 }, () => t.complete({ model: fresh.ref })));
    expect(new Set(before.map(({ system_fingerprint }) => system_fingerprint))).toEqual(new Set(['step0']));
    const trained = await t.train(fresh, 'river');
    expect(await says(fresh.ref)).toBe(trained);
  }, 60_000);

  it('may be many steps at once', async () => {
    const steps = Array.from({ length: 30 }, (_, i) => i % 3);
    const answers = await Promise.all(steps.map((step) => says(`${model.ref}:step${step}`)));
    expect(answers).toEqual(steps.map((step) => said[step]));
  });

  it.each([':step3', ':step', ':v9', ':nobody', '-2', ':a:b'])('is not found with %s behind its name', async (end) => {
    expect(await t.post({ model: model.ref + end })).toMatchObject(unknown);
  });

  it.each(['gpt-4o', '', 'a/b', 'https://example.com/a/b', 'wandb-artifact:////a/b/c'])(
    'is not found: %j',
    async (name) => {
      expect(await t.post({ model: name })).toMatchObject(unknown);
    },
  );

  it('that there is not is answered with those that there are, at most ten of them', async () => {
    const message = async (ask = t.ask) =>
      ((await t.post({ model: 'gpt-4o' }, ask)).body['error'] as { message: string }).message;
    expect(await message()).toMatch(`Model 'gpt-4o' not found. There are '${BASE_MODEL}', 'wandb-artifact:///`);
    const eve = as(t.api, await t.api.given.member());
    expect(await message(eve)).toBe(`Model 'gpt-4o' not found. There are '${BASE_MODEL}'`);
    for (let made = 0; made < 11; made++) {
      await eve('POST', '/v1/preview/models', { project: 'loom', name: `agent-${made}`, base_model: BASE_MODEL });
    }
    const many = await message(eve);
    expect(many.match(/wandb-artifact/g)).toHaveLength(10);
    expect(many).toContain('and more: GET /v1/models lists them');
  });

  it("is not found where it is another team's, in the same words", async () => {
    const eve = as(t.api, await t.api.given.member());
    const foreign = await t.post({ model: model.ref }, eve);
    expect(foreign).toMatchObject(unknown);
    const missing = await t.post({ model: model.ref.replace('agent-1', 'agent-x') }, eve);
    const words = (answer: typeof missing) => (answer.body['error'] as { message: string }).message;
    expect(words(foreign).replace('agent-1', '')).toBe(words(missing).replace('agent-x', ''));
  });

  it('is not found once it is deleted', async () => {
    const doomed = await t.model();
    expect((await t.post({ model: doomed.ref })).status).toBe(200);
    await t.ask('DELETE', `/v1/preview/models/${doomed.id}`);
    expect(await t.post({ model: doomed.ref })).toMatchObject(unknown);
  });

  it('can not lose the step that is being served', async () => {
    const served = await t.model();
    // The latest one can't be lost anyway.
    for (const word of ['cloud', 'rain']) await t.train(served, word);
    const client = new AbortController();
    await t.open({ model: `${served.ref}:step1`, ignore_eos: true, n: 4 }, client.signal);
    const remove = () => t.ask('DELETE', `/v1/preview/models/${served.id}/checkpoints`, { steps: [1] });
    expect(await remove()).toMatchObject({ status: 400, body: { code: 'checkpoint_in_use' } });
    client.abort();
    await eventually(remove, ({ status }) => status === 200);
  }, 60_000);

  it('is in the list, as OpenAI has it', async () => {
    const { body } = await t.ask('GET', '/v1/models');
    expect(body).toMatchObject({ object: 'list' });
    const list = body['data'] as { id: string }[];
    expect(list[0]).toEqual({ id: BASE_MODEL, object: 'model', created: 0, owned_by: 'heddle' });
    expect(list.map(({ id }) => id)).toContain(model.ref);
    const one = await t.ask('GET', `/v1/models/${encodeURIComponent(model.ref)}`);
    expect(one.body).toMatchObject({ id: model.ref, object: 'model', owned_by: t.ada.entity });
    expect(await t.ask('GET', '/v1/models/nothing')).toMatchObject(unknown);
    const eve = as(t.api, await t.api.given.member());
    expect(((await eve('GET', '/v1/models')).body['data'] as object[]).length).toBe(1);
  });
});
