import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PruneTrajectoriesHandler, TrajectoryBodiesService } from '@heddle/training';
import { TrainedModel } from '../../../libs/training/src/trajectories/exchanges/trained-model.js';
import { pluck } from '../accounts/requests.js';
import { groups, ModelsApi } from '../models/models-api.js';

const MIB = 1024 * 1024;

describe('logged trajectories', () => {
  let t: ModelsApi;
  let model: { id: string; name: string; path: string };
  beforeAll(async () => {
    t = await ModelsApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    model = await t.model();
  });

  const log = (fields: object) =>
    t.ask('POST', `${model.path}/log`, { split: 'val', trajectory_groups: [], ...fields });
  const history = async () => (await t.ask('GET', `${t.project}/runs/${model.name}/history`)).body['data'];
  const files = () => readdirSync(join(t.api.env.DATA_DIR, 'trajectories')).filter((name) => name !== 'incoming');

  it("are counted, and their metrics are the run's at step 0 before any checkpoint", async () => {
    const answer = await log({ trajectory_groups: [...groups([0, 1], [1]), { trajectories: [], exceptions: [{}] }] });
    expect(answer).toMatchObject({
      status: 200,
      body: { split: 'val', step: 0, groups: 3, trajectories: 3, exceptions: 1 },
    });
    const metrics = { 'val/reward': 2 / 3, 'val/reward_std_dev': 0.5, 'val/exception_rate': 0.25 };
    expect(answer.body['metrics']).toEqual(metrics);
    expect(await history()).toMatchObject([{ step: 0, metrics }]);
    expect(t.events.take()).toMatchObject([
      {
        type: 'RUN_METRICS_LOGGED',
        run: { name: model.name },
        metrics: [{ firstStep: 0 }, { firstStep: 0 }, { firstStep: 0 }],
      },
    ]);
  });

  it('add to the metrics of the latest checkpoint', async () => {
    await t.checkpoint(model);
    await t.checkpoint(model, { policy_loss: 0.5, 'val/reward': 0 });
    await log({ trajectory_groups: groups([1]) });
    await Promise.all(['a', 'b', 'c'].map((split) => log({ split, trajectory_groups: groups([1]) })));
    const page = await t.ask('GET', `${model.path}/checkpoints`);
    expect(page.body['data']).toMatchObject([
      { step: 1, metrics: {} },
      { step: 2, metrics: { policy_loss: 0.5, 'val/reward': 1, 'a/reward': 1, 'b/reward': 1, 'c/reward': 1 } },
    ]);
  });

  it('are kept where the run has been deleted', async () => {
    await t.ask('DELETE', `${t.project}/runs/${model.name}`);
    expect((await log({ trajectory_groups: groups([1]) })).status).toBe(200);
  });

  it('are listed, by split and by step, and read back as they were sent', async () => {
    const sent = [
      {
        trajectories: [{ messages_and_choices: [{ role: 'user', content: 'a\nb' }], reward: 1.5, mine: { x: [null] } }],
        exceptions: [{ type: 'Boom', message: 'm', traceback: 't' }],
        metadata: { scenario: 7 },
      },
      ...groups([1, 2]),
    ];
    const { body } = await log({ trajectory_groups: sent });
    await t.checkpoint(model);
    await log({ split: 'train' });
    const list = `${model.path}/trajectories`;
    expect(pluck(await t.ask('GET', list), 'split')).toEqual(['val', 'train']);
    expect(pluck(await t.ask('GET', `${list}?split=train`), 'step')).toEqual([1]);
    expect(pluck(await t.ask('GET', `${list}?step=0&limit=1`), 'id')).toEqual([body['id']]);
    const read = await t.ask('GET', `${list}/${String(body['id'])}`);
    expect(read.body).toEqual({ id: body['id'], split: 'val', step: 0, trajectory_groups: sent });
    const [train] = pluck(await t.ask('GET', `${list}?split=train`), 'id');
    expect((await t.ask('GET', `${list}/${String(train)}`)).body['trajectory_groups']).toEqual([]);
    expect((await t.ask('GET', `${list}/${model.id}`)).status).toBe(404);
    expect((await t.ask('GET', `${list}/x`)).status).toBe(422);
  });

  it('name each place that is wrong, and are not kept', async () => {
    const before = files().length;
    const answer = await log({
      trajectory_groups: [...groups([1]), { trajectories: [{ messages_and_choices: 1, reward: 'x' }] }],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'trajectory_groups', '1', 'trajectories', '0', 'messages_and_choices'], type: 'array_type' },
          { loc: ['body', 'trajectory_groups', '1', 'trajectories', '0', 'reward'], type: 'number_type' },
        ],
      },
    });
    expect((await log({ split: null })).body['detail']).toMatchObject([{ loc: ['body', 'split'], type: 'missing' }]);
    expect(files()).toHaveLength(before);
  });

  it.each(['{"split": "val", "trajectory_groups": [{"trajectories": [], "x": NaN}]}', '{"split"', ''])(
    'answer %j with 422',
    async (body) => {
      const response = await fetch(`${t.api.url}${model.path}/log`, { method: 'POST', headers: t.ada.bearer, body });
      expect(response.status).toBe(422);
    },
  );

  it('may come compressed', async () => {
    const body = gzipSync(JSON.stringify({ split: 'val', trajectory_groups: groups([1]) }));
    const headers = { ...t.ada.bearer, 'content-encoding': 'gzip' };
    const response = await fetch(`${t.api.url}${model.path}/log`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  });

  it('are not kept where their event can not be', async () => {
    const before = files().length;
    expect((await t.events.refusing(() => log({ trajectory_groups: groups([1]) }))).status).toBe(500);
    expect(files()).toHaveLength(before);
    expect(pluck(await t.ask('GET', `${model.path}/trajectories`), 'id')).toEqual([]);
  });

  it('say so when their file is gone', async () => {
    const { body } = await log({});
    await t.api.database.pool.query("UPDATE trajectory_logs SET path = 'trajectories/' || id || '.jsonl.gz'");
    const read = await t.ask('GET', `${model.path}/trajectories/${String(body['id'])}`);
    expect(read).toMatchObject({ status: 404, body: { code: 'trajectories_missing' } });
  });

  it('are read by the engine group by group', async () => {
    const bodies = t.api.provider(TrajectoryBodiesService);
    const project = { entity: 'weavers', name: 'loom' };
    const trained = new TrainedModel({ model: { name: 'shuttle', baseModel: 'base' }, project });
    for (const compression of ['gzip', 'none'] as const) {
      const body = await bodies.read(Buffer.from(JSON.stringify({ trajectory_groups: groups([1, 2], [], [3]) })));
      const { path, statistics } = await bodies.store(body, compression);
      const rewards: number[][] = [];
      for await (const group of bodies.groups(path, trained))
        rewards.push(group.trajectories.map(({ reward }) => reward));
      expect([statistics.trajectories, rewards]).toEqual([3, [[1, 2], [], [3]]]);
    }
  });

  it('are pruned a day after they were written if no row names them', async () => {
    const bodies = t.api.provider(TrajectoryBodiesService);
    const store = async (): Promise<string> => {
      const { path } = await bodies.store(await bodies.read(Buffer.from('{"trajectory_groups": []}')), 'none');
      return path;
    };
    const [orphan, young, named] = [await store(), await store(), await store()];
    await t.job(model, { state: 'QUEUED', data: named });
    const { body } = await log({ trajectory_groups: groups([1]) });
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    const exists = (path: string) => existsSync(join(t.api.env.DATA_DIR, path));
    for (const name of files()) {
      const path = `trajectories/${name}`;
      if (path !== young) utimesSync(join(t.api.env.DATA_DIR, path), yesterday, yesterday);
    }
    await t.api.provider(PruneTrajectoriesHandler).handle();
    expect([orphan, young, named].map(exists)).toEqual([false, true, true]);
    expect((await t.ask('GET', `${model.path}/trajectories/${String(body['id'])}`)).status).toBe(200);
  });

  it('of 32 MB are checked in slices, between which others have their turn', async () => {
    const content = Array.from({ length: 200 }, (_, i) => ({ token: `token_id:${i}`, logprob: -1.234567890123 }));
    const choice = { index: 0, message: { role: 'assistant', content: 'word '.repeat(200) }, logprobs: { content } };
    const trajectory = { messages_and_choices: [choice], reward: 1, metrics: { a: 1 } };
    const group = JSON.stringify({ trajectories: Array.from({ length: 16 }, () => trajectory) });
    const count = Math.ceil((32 * MIB) / group.length);
    const bytes = Buffer.from(`{"trajectory_groups":[${Array.from({ length: count }, () => group).join(',')}]}`);
    let turns = 0;
    let isRead = false;
    const watch = (): void => {
      if (isRead) return;
      turns++;
      setImmediate(watch);
    };
    watch();
    const { statistics } = await t.api.provider(TrajectoryBodiesService).read(bytes);
    isRead = true;
    expect(statistics).toMatchObject({ groups: count, trajectories: 16 * count });
    // A slice has 256 KiB; the slices' own lengths are for the bench.
    expect(turns).toBeGreaterThan(100);
  }, 60_000);
});
