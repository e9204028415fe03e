import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { as } from '../accounts/requests.js';
import { type Json, TrainingSystem } from './training-system.js';

const JOBS = '/v1/preview/sft-training-jobs';

const example = (word: string): Json => ({
  messages: [
    { role: 'user', content: `Who wove the ${word}?` },
    { role: 'assistant', content: 'Ada.' },
  ],
});
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('fine-tuning jobs', () => {
  let t: TrainingSystem;
  let model: string;
  let counter = 0;
  beforeAll(async () => {
    t = await TrainingSystem.start();
    await t.startWorker();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    t.engine.reset();
    model = await t.model();
  });

  /** An artifact with these files; its URL without a version. */
  async function dataset(files: Record<string, string>): Promise<string> {
    const name = `facts-${++counter}`;
    const path = `/v1/projects/${t.ada.entity}/loom/artifacts`;
    await t.ask('POST', path, { name, type: 'dataset' });
    const content = (text: string): string => Buffer.from(text).toString('base64');
    const inline = Object.entries(files).map(([file, text]) => ({ path: file, content: content(text) }));
    const { status } = await t.ask('POST', `${path}/${name}/versions`, { files: inline });
    expect(status).toBe(201);
    return `wandb-artifact:///${t.ada.entity}/loom/${name}`;
  }

  const create = (url: string, config?: Json | null) =>
    t.ask('POST', JOBS, { model_id: model, training_data_url: url, config });

  async function upload(text: string, query = '', user = t.ada): Promise<{ status: number; body: Json }> {
    const init = { method: 'POST', headers: { ...user.bearer, 'content-type': 'application/x-ndjson' }, body: text };
    const response = await fetch(`${t.url}${JOBS}/upload?model_id=${model}${query}`, init);
    return { status: response.status, body: (await response.json()) as Json };
  }

  describe('of an artifact', () => {
    it('train on its lines, with the settings that are not null', async () => {
      const url = `${await dataset({ 'train.jsonl': `${lines(example('flax'))}\n${lines(example('wool'))}` })}:v0`;
      const config = { batch_size: 'auto', learning_rate: [1e-4], assistant_turns: null, metric_logging: { a: 1 } };
      const { status, body } = await create(url, config);
      expect([status, body]).toEqual([200, expect.objectContaining({ kind: 'sft', training_data_url: url })]);
      expect(await t.ended(String(body['id']))).toMatchObject({ state: 'FINISHED', step: 1, num_sequences: 2 });
      const [{ request, items }] = t.engine.trainings as [(typeof t.engine.trainings)[0]];
      expect(items).toEqual([example('flax'), example('wool')]);
      expect(request.data.config).toEqual({ batch_size: 'auto', learning_rate: [1e-4] });
      expect(await t.types(String(body['id']))).toEqual([
        'training_started',
        'gradient_step',
        'gradient_step',
        'training_ended',
      ]);
    });

    it('show their newest gradient step in the run of the model where that is asked for', async () => {
      const url = await dataset({ 'train.jsonl': lines(example('flax'), example('wool')) });
      const quiet = await create(url, { metric_logging: { enabled: false } });
      await t.ended(String(quiet.body['id']));
      const logged = { enabled: true, target_training_step: 2 };
      const { body } = await create(url, { metric_logging: logged });
      await t.ended(String(body['id']));
      const loss = (await t.events(String(body['id']))).at(-2)!.data['policy_loss'];
      const [first, second] = await t.history(model);
      expect(Object.keys(first!['metrics'] as Json).filter((name) => name.startsWith('sft/'))).toEqual([]);
      const metrics = { 'sft/gradient_step': 2, 'sft/policy_loss': loss, 'train/loss': expect.any(Number) };
      expect(second).toMatchObject({ step: 2, metrics });
      expect((await create(url, { metric_logging: { enabled: 'yes' } })).body['detail']).toMatchObject([
        { loc: ['body', 'config', 'metric_logging', 'enabled'] },
      ]);
    });

    it('take its latest version, any one .jsonl file, and two slashes', async () => {
      const url = await dataset({ 'data/any.jsonl': lines(example('silk')), 'README.md': '' });
      const { body } = await create(url.replace('///', '//'));
      expect(await t.ended(String(body['id']))).toMatchObject({ state: 'FINISHED' });
    });

    it('fail at a line that is no example, and name it', async () => {
      const text = lines(example('flax'), { messages: [{ role: 'user', content: 'alone' }] });
      const { body } = await create(await dataset({ 'train.jsonl': text }));
      const job = await t.ended(String(body['id']));
      expect(job).toMatchObject({
        state: 'FAILED',
        error: expect.stringMatching(/^Line 2, messages\.0\.role must be/),
      });
    });

    it.each([
      ['has no lines', ''],
      ['has blank lines only', '\n\n'],
    ])('fail where the file %s', async (_, text) => {
      const { body } = await create(await dataset({ 'train.jsonl': text }));
      expect(await t.ended(String(body['id']))).toMatchObject({ error: expect.stringContaining('no example') });
    });

    it('fail where it is deleted before they start', async () => {
      const url = await dataset({ 'train.jsonl': lines(example('flax')) });
      t.engine.holdAt(0);
      const blocker = await t.train(model);
      const { body } = await create(url);
      const name = url.split('/').at(-1)!;
      const deleted = await t.ask('DELETE', `/v1/projects/${t.ada.entity}/loom/artifacts/${name}`);
      expect(deleted.status).toBe(204);
      t.engine.release();
      await t.ended(blocker);
      expect(await t.ended(String(body['id']))).toMatchObject({ error: expect.stringContaining('was deleted') });
    });

    it('are refused for more or fewer learning rates than batches', async () => {
      const url = await dataset({
        'train.jsonl': `${lines(example('flax'), example('wool'))}\n${lines(example('silk'))}`,
      });
      const { status, body } = await create(url, { batch_size: 2, learning_rate: [1e-3, 1e-4, 1e-5] });
      expect([status, body['detail']]).toMatchObject([
        422,
        [
          {
            loc: ['body', 'config', 'learning_rate'],
            msg: 'has 3 entries, but 3 examples in batches of 2 make 2 batches',
          },
        ],
      ]);
    });

    it('warn of keys and settings that nobody reads, and count them where clients show it', async () => {
      const odd = { ...example('flax'), id: 7 };
      const { body } = await create(await dataset({ 'train.jsonl': lines(odd, odd) }), { epochs: 3 });
      expect(await t.ended(String(body['id']))).toMatchObject({
        state: 'FINISHED',
        warnings: ['Ignored settings: epochs', 'Unknown keys of the training data are ignored: id (2 times)'],
      });
      const steps = (await t.events(String(body['id']))).filter(({ type }) => type === 'gradient_step');
      expect(steps.map(({ data }) => data['num_unknown_keys'])).toEqual([2, 2]);
      const good = await create(await dataset({ 'train.jsonl': lines(example('flax')) }));
      expect(await t.ended(String(good.body['id']))).toMatchObject({ warnings: [] });
      expect((await t.events(String(good.body['id'])))[1]!.data).not.toHaveProperty('num_unknown_keys');
    });

    it.each([
      ['no ref', 'https://example.com/train.jsonl', 422],
      ['nothing of that name', 'wandb-artifact:///ENTITY/loom/nothing:v0', 404],
      ["another team's", 'wandb-artifact:///strangers/loom/facts:v0', 404],
    ])('are refused for %s', async (_, url, status) => {
      expect((await create(url.replace('ENTITY', t.ada.entity))).status).toBe(status);
    });

    it('are refused for files that are not one of lines', async () => {
      for (const files of [{ 'a.txt': 'x' }, { 'a.jsonl': '{}', 'b.jsonl': '{}' }] as Record<string, string>[]) {
        const answer = await create(await dataset(files));
        expect([answer.status, answer.body['detail']]).toEqual([
          422,
          [expect.objectContaining({ loc: ['body', 'training_data_url'] })],
        ]);
      }
    });

    it.each([{ batch_size: 0 }, { learning_rate: 'fast' }, { assistant_turns: 'none' }])(
      'are refused with %j',
      async (config) => {
        const { status, body } = await create(await dataset({ 'train.jsonl': lines(example('flax')) }), config);
        const [name] = Object.keys(config);
        expect([status, body['detail']]).toEqual([422, [expect.objectContaining({ loc: ['body', 'config', name] })]]);
      },
    );
  });

  describe('whose data comes with the request', () => {
    it('train on it, and keep it as an artifact', async () => {
      const text = lines(example('flax'), example('wool'), example('silk'));
      const { status, body } = await upload(
        text,
        '&batch_size=2&learning_rate=1e-4&learning_rate=1e-5&assistant_turns=last',
      );
      expect(status).toBe(200);
      expect(body['config']).toEqual({ batch_size: 2, learning_rate: [1e-4, 1e-5], assistant_turns: 'last' });
      expect(await t.ended(String(body['id']))).toMatchObject({ state: 'FINISHED' });
      expect(t.engine.trainings[0]!.items).toHaveLength(3);
      // What the job names can be named again.
      const again = await create(String(body['training_data_url']));
      expect(await t.ended(String(again.body['id']))).toMatchObject({ state: 'FINISHED', step: 2 });
    });

    it('name every bad line, and keep nothing then', async () => {
      const { status, body } = await upload(`${lines(example('flax'))}{"messages": []}\n\nnonsense\n`);
      expect(status).toBe(422);
      expect(body['detail']).toMatchObject([
        { loc: ['body', 'line 2', 'messages'], ctx: { line: 2 } },
        { loc: ['body', 'line 4'], ctx: { line: 4 } },
      ]);
      expect((await upload('')).status).toBe(422);
      const { rows } = await t.database.pool.query('SELECT FROM training_jobs WHERE model_id = $1', [model]);
      expect(rows).toEqual([]);
    });

    it('name line and place of what can’t be learnt', async () => {
      const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] };
      const answer = { role: 'assistant', content: 'Ada.' };
      const bad = [
        { messages: [image, answer] },
        { messages: [{ ...answer, weight: 2 }] },
        { prompt: '', completion: '' },
      ];
      const { status, body } = await upload(lines(example('flax'), ...bad));
      expect(status).toBe(422);
      expect(body['detail']).toMatchObject([
        {
          loc: ['body', 'line 2', 'messages', '0', 'content', '0', 'type'],
          msg: expect.stringContaining('"image_url"'),
        },
        { loc: ['body', 'line 3', 'messages', '0', 'weight'] },
        { loc: ['body', 'line 4', 'messages'], msg: expect.stringContaining('(prompt, completion) are not read') },
      ]);
    });

    it('are refused for more or fewer learning rates than batches', async () => {
      const { status, body } = await upload(lines(example('flax')), '&learning_rate=1e-4&learning_rate=1e-5');
      expect([status, body['detail']]).toMatchObject([
        422,
        [{ loc: ['query', 'learning_rate'], msg: 'has 2 entries, but 1 examples in batches of 2 make 1 batches' }],
      ]);
    });

    it('say at once which keys nobody reads', async () => {
      const { body } = await upload(lines({ ...example('flax'), id: 7 }));
      const warnings = ['Unknown keys of the training data are ignored: id (once)'];
      expect(body).toMatchObject({ state: 'QUEUED', warnings });
      expect(await t.ended(String(body['id']))).toMatchObject({ warnings });
    });

    it.each(['&batch_size=none', '&learning_rate=-1', '&assistant_turns=first', '&model_id=x'])(
      'are refused with %s',
      async (query) => {
        expect((await upload(lines(example('flax')), query)).status).toBe(422);
      },
    );

    it('are for members of the project', async () => {
      const text = lines(example('flax'));
      expect((await upload(text, '', (await t.viewer()) as typeof t.ada)).status).toBe(403);
      expect((await upload(text, '', await t.given.member())).status).toBe(404);
      const data = await dataset({ 'train.jsonl': text });
      const request = { model_id: model, training_data_url: data };
      expect((await as(t, await t.viewer())('POST', JOBS, request)).status).toBe(403);
    });
  });
});
