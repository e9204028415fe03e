import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AdapterStore, CheckpointReader, CheckpointWriter, ModelsRepository } from '@heddle/models';
import type { Principal } from '@heddle/auth';
import { eventually } from '../../support/eventually.js';
import { pluck } from '../accounts/requests.js';
import { ModelsApi } from './models-api.js';

describe('checkpoints', () => {
  let t: ModelsApi;
  let model: { id: string; name: string; path: string };
  beforeAll(async () => {
    t = await ModelsApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    model = await t.model();
  });

  const checkpoints = () => `${model.path}/checkpoints`;
  const steps = async () => pluck(await t.ask('GET', checkpoints()), 'step');
  const remove = (...asked: unknown[]) => t.ask('DELETE', checkpoints(), { steps: asked });
  const force = (...asked: unknown[]) => t.ask('DELETE', checkpoints(), { steps: asked, force: true });
  const artifact = () => `${t.project}/artifacts/${model.name}`;
  const reader = () => t.api.provider(CheckpointReader);
  const caller = (): Principal => ({
    userId: t.ada.id,
    username: t.ada.username,
    isAdmin: false,
    defaultTeam: t.ada.entity,
    teams: new Map([[t.ada.entity, { teamId: '', role: 'member' }]]),
  });
  const resolve = (version = '', slashes = '///') =>
    reader().resolve(caller(), `wandb-artifact:${slashes}${t.ada.entity}/loom/${model.name}${version}`, [
      'body',
      'model',
    ]);

  it('are none at first: step 0', async () => {
    const page = await t.ask('GET', `${checkpoints()}?limit=1&order=desc`);
    expect(page.body).toMatchObject({ object: 'list', data: [], has_more: false });
  });

  it('are listed by step, in pages', async () => {
    for (const reward of [0.1, 0.2, 0.3]) await t.checkpoint(model, { 'train/reward': reward });
    const first = await t.ask('GET', `${checkpoints()}?limit=2`);
    expect([pluck(first, 'step'), first.body['has_more']]).toEqual([[1, 2], true]);
    const rest = await t.ask('GET', `${checkpoints()}?limit=2&after=${String(first.body['last_id'])}`);
    expect([pluck(rest, 'step'), rest.body['has_more']]).toEqual([[3], false]);
    const end = await t.ask('GET', `${checkpoints()}?after=${String(rest.body['last_id'])}`);
    expect([end.status, end.body['data']]).toEqual([200, []]);
    const latest = await t.ask('GET', `${checkpoints()}?limit=1&order=desc`);
    expect(latest.body['data']).toMatchObject([{ step: 3, metrics: { 'train/reward': 0.3 } }]);
    expect((await t.ask('GET', `${checkpoints()}?after=x`)).status).toBe(422);
    expect((await t.ask('GET', `${checkpoints()}?limit=101`)).status).toBe(422);
  });

  it('are artifact versions with the aliases stepN and latest, and say so in events', async () => {
    await t.checkpoint(model);
    t.events.take();
    const { step } = await t.checkpoint(model, { 'train/reward': 0.5 });
    expect(t.events.take().map((event) => [event.type, 'alias' in event ? event.alias : null])).toEqual([
      ['CREATE_ARTIFACT', null],
      ['ADD_ARTIFACT_ALIAS', 'latest'],
      ['ADD_ARTIFACT_ALIAS', `step${step}`],
    ]);
    const { body } = await t.ask('GET', `${artifact()}/versions/step2`);
    expect(body).toMatchObject({ version: 'v1', aliases: ['latest', 'step2'], metadata: { step: 2 } });
    const files = await t.ask('GET', `${artifact()}/versions/latest/files`);
    expect(pluck(files, 'path')).toEqual(['adapter_config.json', 'adapter_model.safetensors', 'optimizer.safetensors']);
  });

  it('have steps that count up by one, also when many are made at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => t.checkpoint(model)));
    expect(await steps()).toEqual([1, 2, 3, 4, 5]);
  });

  it('are made once for a job, however often it ends', async () => {
    const job = await t.job(model, { state: 'RUNNING' });
    const [a, b] = [await t.checkpoint(model, {}, job), await t.checkpoint(model, {}, job)];
    expect(b.id).toBe(a.id);
    expect(await steps()).toEqual([1]);
  });

  it('come with what else belongs into their transaction, or not at all', async () => {
    const ref = (await t.api.provider(ModelsRepository).findById(model.id))!;
    const directory = await t.adapter();
    const fields = { ref, actor: { userId: t.ada.id, username: 'ada' }, jobId: null, metrics: {} };
    const refused = t.api.provider(CheckpointWriter).write(fields, directory, async () => {
      throw new Error('the job has been cancelled');
    });
    await expect(refused).rejects.toThrow('the job has been cancelled');
    expect(await steps()).toEqual([]);
    expect(existsSync(directory)).toBe(true);
    expect((await t.checkpoint(model)).step).toBe(1);
  });

  it('are deleted; what is not there is named, and no step is used again', async () => {
    for (let i = 0; i < 3; i++) await t.checkpoint(model);
    expect(await force(3, 1, 3, 7)).toMatchObject({ status: 200, body: { deleted_count: 2, not_found_steps: [7] } });
    expect(await steps()).toEqual([2]);
    expect(await remove(1)).toMatchObject({ status: 200, body: { deleted_count: 0, not_found_steps: [1] } });
    expect((await t.ask('GET', `${artifact()}/versions/latest`)).body).toMatchObject({ aliases: ['latest', 'step2'] });
    expect((await t.ask('GET', `${artifact()}/versions/step3`)).status).toBe(404);
    expect((await t.checkpoint(model)).step).toBe(4);
  });

  it.each([[['1']], [[1.5]], [[-1]], [[2 ** 31]], 'all', null])('refuse to be deleted by %j', async (asked) => {
    expect((await t.ask('DELETE', checkpoints(), { steps: asked })).status).toBe(422);
  });

  it('stay, all of them, while one is trained from', async () => {
    for (let i = 0; i < 2; i++) await t.checkpoint(model);
    const job = await t.job(model, { state: 'RUNNING', from_step: 2 });
    const answer = await remove(1, 2);
    expect(answer).toMatchObject({ status: 400, body: { code: 'checkpoint_in_use' } });
    expect(answer.body['detail']).toBe(`Step 2 is being trained from by job '${job}'`);
    expect(await steps()).toEqual([1, 2]);
    expect((await remove(1)).status).toBe(200);
  });

  it('stay while a job that is not over compares with them, or may come to', async () => {
    for (let i = 0; i < 5; i++) await t.checkpoint(model);
    const named = await t.job(model, {
      state: 'QUEUED',
      config: { kl_penalty_coef: 0.1, kl_penalty_reference_step: 1 },
    });
    const detail = `Step 1 is what the KL penalty of job '${named}' compares with`;
    expect(await remove(1)).toMatchObject({ status: 400, body: { code: 'checkpoint_in_use', detail } });
    // The job before it may make step 6: then it compares with 4, else with 3.
    const lagging = await t.job(model, { state: 'QUEUED', config: { kl_penalty_coef: 0.1, kl_penalty_step_lag: 2 } });
    for (const step of [3, 4]) {
      expect((await remove(step)).body['detail']).toBe(
        `Step ${step} is what the KL penalty of job '${lagging}' compares with`,
      );
    }
    await t.job(model, { state: 'FINISHED', config: { kl_penalty_coef: 0.1, kl_penalty_reference_step: 2 } });
    expect((await remove(2)).status).toBe(200);
    expect((await force(1, 3)).status).toBe(200);
    expect(await steps()).toEqual([4, 5]);
  });

  it('stay while they are served', async () => {
    await t.checkpoint(model);
    const open = await reader().open(await resolve());
    expect(await remove(1)).toMatchObject({ status: 400, body: { detail: 'Step 1 is being served' } });
    open.release();
    open.release();
    expect((await force(1)).status).toBe(200);
    expect(existsSync(open.directory!)).toBe(false);
  });

  it('stay, all of them, where one is the latest', async () => {
    for (let i = 0; i < 2; i++) await t.checkpoint(model);
    const answer = await remove(1, 2);
    expect(answer).toMatchObject({ status: 400, body: { code: 'checkpoint_in_use' } });
    expect(answer.body['detail']).toContain('Step 2 is the latest');
    expect(await steps()).toEqual([1, 2]);
    expect((await remove(1)).status).toBe(200);
    expect((await remove(2, 9)).status).toBe(400);
    expect((await t.ask('DELETE', checkpoints(), { steps: [2], force: 'yes' })).status).toBe(422);
    expect((await t.ask('DELETE', checkpoints(), { steps: [2], force: null })).status).toBe(400);
  });

  it('are deleted by force whatever they are in use for; who holds a directory keeps it until the end', async () => {
    await t.checkpoint(model);
    await t.job(model, { state: 'RUNNING', from_step: 1 });
    const open = await reader().open(await resolve());
    expect(await force(1)).toMatchObject({ status: 200, body: { deleted_count: 1 } });
    expect(await steps()).toEqual([]);
    expect(existsSync(open.directory!)).toBe(true);
    open.release();
    await eventually(
      () => existsSync(open.directory!),
      (isThere) => !isThere,
    );
  });

  it('are none any more once all are deleted: then a name without a step answers nothing', async () => {
    await t.checkpoint(model);
    await force(1);
    for (const version of ['', ':latest']) {
      await expect(resolve(version)).rejects.toMatchObject({ status: 404, code: 'checkpoint_not_found' });
    }
    expect(await resolve(':step0')).toMatchObject({ step: 0, checkpoint: null });
    await t.checkpoint(model);
    expect((await resolve()).step).toBe(2);
  });

  it('go with their artifact version, whoever deletes it', async () => {
    for (let i = 0; i < 2; i++) await t.checkpoint(model);
    expect((await t.ask('DELETE', `${artifact()}/versions/step2`)).status).toBe(204);
    expect(await steps()).toEqual([1]);
  });

  describe('deleted as artifact versions', () => {
    const versions = () => `${artifact()}/versions`;
    const inUse = (detail: string) => ({ status: 400, body: { code: 'checkpoint_in_use', detail } });

    it('stay while they are in use, and go by force', async () => {
      for (let i = 0; i < 3; i++) await t.checkpoint(model);
      const job = await t.job(model, { state: 'RUNNING', from_step: 2 });
      const open = await reader().open(await resolve(':step1'));
      const refusal = `Step 2 is being trained from by job '${job}'`;
      expect(await t.ask('DELETE', `${versions()}/step2`)).toMatchObject(inUse(refusal));
      expect(await t.ask('DELETE', `${versions()}/v0`)).toMatchObject(inUse('Step 1 is being served'));
      expect(await t.ask('DELETE', artifact())).toMatchObject(inUse(expect.stringMatching(/^Step [12] is being /)));
      open.release();
      expect((await t.ask('DELETE', `${versions()}/v0`)).status).toBe(204);
      expect((await t.ask('DELETE', `${versions()}/step2?force=yes`)).status).toBe(422);
      expect((await t.ask('DELETE', `${versions()}/step2?force=true`)).status).toBe(204);
      expect(await steps()).toEqual([3]);
    });

    it('leave one, unless the collection goes with it', async () => {
      await t.checkpoint(model);
      const last = inUse('Step 1 is the only checkpoint: chats are answered from it, and training goes on from it');
      expect(await t.ask('DELETE', `${versions()}/latest`)).toMatchObject(last);
      expect((await t.ask('DELETE', `${artifact()}?force=false`)).status).toBe(204);
      expect(await steps()).toEqual([]);
    });
  });

  it('are found by the names that clients have for them', async () => {
    expect(await resolve()).toMatchObject({ step: 0, checkpoint: null });
    for (let i = 0; i < 2; i++) await t.checkpoint(model);
    await t.ask('PUT', `${artifact()}/versions/step1/aliases/best`);
    const found = [
      ['', 2],
      [':latest', 2],
      [':step1', 1],
      [':step0', 0],
      [':best', 1],
      [':v0', 1],
    ] as const;
    for (const [version, step] of found) {
      expect([version, (await resolve(version)).step]).toEqual([version, step]);
      expect((await resolve(version, '//')).step).toBe(step);
    }
    for (const version of [':step3', ':step01', ':v9', ':none']) {
      await expect(resolve(version)).rejects.toMatchObject({ status: 404, code: 'checkpoint_not_found' });
    }
    const unknown = reader().resolve(caller(), `${t.ada.entity}/loom/nobody`, ['body', 'model']);
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('are directories for the engine, made again from the artifact where they are gone', async () => {
    await t.checkpoint(model);
    const found = await resolve();
    const first = await reader().open(found);
    const weights = readFileSync(join(first.directory!, 'adapter_model.safetensors'), 'utf8');
    expect(weights).toMatch(/^weights /);
    first.release();
    await rm(first.directory!, { recursive: true });
    const again = await Promise.all(Array.from({ length: 8 }, () => reader().open(found)));
    for (const { directory } of again) {
      expect(readFileSync(join(directory!, 'adapter_model.safetensors'), 'utf8')).toBe(weights);
      expect(readFileSync(join(directory!, 'optimizer.safetensors'), 'utf8')).toMatch(/^state /);
    }
    for (const { release } of again) release();
    expect(t.api.provider(AdapterStore).isHeld(found.checkpoint!.versionId)).toBe(false);
    expect(await reader().open(await resolve(':step0'))).toMatchObject({ directory: null });
  });

  it('note the use of a directory every few seconds, while it is held, and each time when it is not', async () => {
    await t.checkpoint(model);
    const found = await resolve();
    const held = await reader().open(found);
    const longAgo = new Date(0);
    const usedAt = () => statSync(held.directory!).mtime;
    await utimes(held.directory!, longAgo, longAgo);
    (await reader().open(found)).release();
    expect(usedAt()).toEqual(longAgo);
    held.release();
    (await reader().open(found)).release();
    expect(usedAt().getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('have directories of which only a whole one is ever there', async () => {
    const { versionId } = await t.checkpoint(model);
    await t.api.database.pool.query(
      "DELETE FROM artifact_files WHERE version_id = $1 AND path = 'optimizer.safetensors'",
      [versionId],
    );
    const found = await resolve();
    const directory = join(t.api.env.DATA_DIR, 'adapters', versionId);
    await rm(directory, { recursive: true });
    await expect(reader().open(found)).rejects.toMatchObject({ code: 'not_an_adapter' });
    expect(existsSync(directory)).toBe(false);
  });
});
