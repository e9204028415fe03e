import { indexJson } from '@heddle/json';
import { readRlRequest } from './rl-request.js';

const ID = '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11';

async function read(body: unknown): Promise<ReturnType<typeof readRlRequest>> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readRlRequest(await indexJson(Buffer.from(text)));
}

async function places(body: unknown): Promise<string[]> {
  try {
    await read(body);
    return [];
  } catch (error) {
    return (error as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join('.'));
  }
}

describe('readRlRequest', () => {
  it('reads the model and the settings, without nulls', async () => {
    const body = { model_id: ID, experimental_config: { ppo: true, epsilon: null, future: [1] } };
    expect(await read(body)).toEqual({
      modelId: ID,
      config: '{"ppo":true,"future":[1]}',
      clientJobId: undefined,
    });
    expect((await read({ ...body, client_job_id: 'mine' })).clientJobId).toBe('mine');
  });

  it.each([{ model_id: ID }, { model_id: ID, experimental_config: null }])(
    'takes no settings for none',
    async (body) => {
      expect((await read(body)).config).toBe('{}');
    },
  );

  it.each<[unknown, string]>([
    [{}, 'body.model_id'],
    [{ model_id: null }, 'body.model_id'],
    [{ model_id: 5 }, 'body.model_id'],
    [{ model_id: 'loom' }, 'body.model_id'],
    [{ model_id: ID, experimental_config: [] }, 'body.experimental_config'],
    [{ model_id: ID, experimental_config: { epsilon: 'a' } }, 'body.experimental_config.epsilon'],
    [`{"model_id":"${ID}","experimental_config":{"a":"${'x'.repeat(70_000)}"}}`, 'body.experimental_config'],
    [`{"model_id":"${ID}","experimental_config":{"a":${'['.repeat(20)}${']'.repeat(20)}}}`, 'body.experimental_config'],
  ])('names the place that is wrong: %#', async (body, place) => {
    expect(await places(body)).toEqual([place]);
  });
});
