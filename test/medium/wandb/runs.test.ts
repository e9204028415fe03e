import { request } from 'node:http';
import { startApi, type TestApi } from '../../support/api.js';
import { SdkClient } from './sdk-client.js';

describe('a run of the wandb SDK', () => {
  let api: TestApi;
  let ada: SdkClient;
  let eve: SdkClient;
  beforeAll(async () => {
    api = await startApi();
    ada = new SdkClient(api, await api.given.member());
    eve = new SdkClient(api, await api.given.member());
  });
  afterAll(() => api.close());

  describe('upsertBucket', () => {
    it('makes project and run, and afterwards changes what it names', async () => {
      const config = '{"lr": {"value": 1.0}, "_wandb": {"value": {"t": {"1": [5]}}}}';
      const made = await ada.upsert({ name: 'r1', displayName: 'first', config, tags: ['a'], groupName: 'g' });
      expect(made).toMatchObject({ name: 'r1', historyLineCount: 0, config });
      const again = await ada.upsert({ name: 'r1', notes: 'hello' });
      expect(again).toMatchObject({ id: made.id, config });
      expect(await ada.rest('runs/r1')).toMatchObject({
        display_name: 'first',
        config: { lr: 1 },
        tags: ['a'],
        group: 'g',
        notes: 'hello',
        state: 'RUNNING',
      });
    });

    it("leaves a run of somebody else's making its creator and its configuration", async () => {
      const url = `${api.url}/v1/projects/${ada.user.entity}/loom/runs`;
      const headers = { ...ada.user.bearer, 'content-type': 'application/json' };
      await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'rest', config: { base: 'tiny' } }) });
      const { id, config } = await ada.upsert({ name: 'rest' });
      expect(config).toBe('{"base":{"value":"tiny"}}');
      // ART names the run by the id that it was told.
      expect(await ada.upsert({ name: String(id), config: '{"lr":{"value":1}}' })).toMatchObject({ id, name: 'rest' });
      expect((await ada.stream(String(id), {}, ada.user.entity)).status).toBe(200);
      expect(await ada.rest('runs/rest')).toMatchObject({ id, config: { base: 'tiny', lr: 1 } });
    });

    it.each([
      ['a sweep', { name: 'x', sweep: 's1' }, /sweeps are not served/i],
      ['a name with a slash', { name: 'a/b' }, /without slashes/],
      ['a configuration that is no object', { name: 'x', config: '[]' }, /must be a JSON object/],
      ['a project with a slash', { name: 'x', modelName: 'a/b' }, /entity\/project/],
      ['an id that nobody has', { id: 'nothing' }, /not found/],
    ])('refuses %s', async (_what, fields, message) => {
      const query = 'mutation ($input: UpsertBucketInput!) { upsertBucket(input: $input) { inserted } }';
      const input = { modelName: 'loom', entityName: ada.user.entity, ...fields };
      expect((await ada.ask(query, { input })).errors?.[0]?.message).toMatch(message);
    });

    it("lets nobody into another team's project, nor near its runs", async () => {
      const { id } = await ada.upsert({ name: 'private' });
      const write = 'mutation ($input: UpsertBucketInput!) { upsertBucket(input: $input) { inserted } }';
      const input = { name: 'private', modelName: 'loom', entityName: ada.user.entity };
      expect((await eve.ask(write, { input })).errors?.[0]?.extensions.code).toBe('PERMISSION_ERROR');
      for (const operation of ['stopRun', 'deleteRun']) {
        const answer = await eve.ask(`mutation { ${operation}(input: {id: "${id}"}) { success } }`);
        expect(answer.errors?.[0]?.extensions.code).toBe('PERMISSION_ERROR');
      }
      expect((await eve.stream('private', {}, ada.user.entity)).status).toBe(404);
    });
  });

  describe('file_stream', () => {
    it('keeps lines as they are, and gives their numbers to the metric store', async () => {
      await ada.upsert({ name: 'lines' });
      const line = '{"loss":1.50,"word":"x","n":{"x":2},"_step":0,"_timestamp":1.7e+09}';
      const answer = await ada.history('lines', 0, line, { loss: 0.5, _step: 3 });
      expect([answer.status, await answer.json()]).toEqual([200, { exitcode: null, limits: {} }]);
      expect(await ada.run('lines', 'historyLineCount historyTail history(samples: 10)')).toEqual({
        historyLineCount: 2,
        historyTail: JSON.stringify(['{"loss":0.5,"_step":3}']),
        history: [line, '{"loss":0.5,"_step":3}'],
      });
      expect(await ada.rest('runs/lines/history')).toMatchObject({
        data: [
          { step: 0, metrics: { loss: 1.5, 'n.x': 2 } },
          { step: 3, metrics: { loss: 0.5 } },
        ],
      });
    });

    it('replaces what is sent again, and goes on behind it', async () => {
      await ada.upsert({ name: 'again' });
      await ada.history('again', 0, { x: 1, _step: 0 }, { x: 2, _step: 1 });
      await ada.history('again', 1, { x: 2, _step: 1 }, { x: 3, _step: 2 });
      const { history } = await ada.run<{ history: string[] }>('again', 'history(samples: 10)');
      expect(history.map((row) => (JSON.parse(row) as { x: number }).x)).toEqual([1, 2, 3]);
      expect((await ada.upsert({ name: 'again' })).historyLineCount).toBe(3);
    });

    it('keeps the lines of two writers of one run, and doubles none that is sent again', async () => {
      await ada.upsert({ name: 'two' });
      const line = (who: string, step: number) => ({ [who]: step, _step: step, _timestamp: 1.7e9 + step });
      await ada.history('two', 0, line('a', 0), line('a', 1));
      await ada.history('two', 0, line('b', 0), line('b', 1), line('b', 2));
      await ada.history('two', 2, line('a', 2));
      await ada.history('two', 0, line('b', 0), line('b', 1), line('b', 2));
      await ada.history('two', 1, line('a', 1), line('a', 2));
      const { history } = await ada.run<{ history: string[] }>('two', 'history(samples: 100)');
      const all = ['a', 'b'].flatMap((who) => [0, 1, 2].map((step) => JSON.stringify(line(who, step))));
      expect([...history].sort()).toEqual(all);
      expect(await ada.rest('runs/two/history')).toMatchObject({
        data: [0, 1, 2].map((step) => ({ step, metrics: { a: step, b: step } })),
      });
    });

    it.each([
      ['what is too large', { 'content-length': String(2 ** 30) }],
      ['what can not be decompressed', { 'content-encoding': 'gzip' }],
      ['an encoding that is not known', { 'content-encoding': 'zstd' }],
    ])('answers 503 to %s, which clients send again', async (_what, headers) => {
      await ada.upsert({ name: 'body' });
      const { port } = new URL(api.url);
      const answer = await new Promise<number>((resolve, reject) => {
        const path = `/files/${ada.user.entity}/loom/body/file_stream`;
        const sent = request({ port, path, method: 'POST', headers: { ...ada.user.basic, ...headers } }, (response) => {
          resolve(response.statusCode!);
          response.destroy();
        });
        sent.once('error', reject);
        sent.write('{"complete": true}');
        if (!('content-length' in headers)) sent.end();
      });
      expect(answer).toBe(503);
      expect(await ada.run('body', 'state')).toEqual({ state: 'running' });
    });

    it('takes a body of more than 64 MiB', async () => {
      await ada.upsert({ name: 'great' });
      const word = 'x'.repeat(1024 * 1024);
      const content = Array.from({ length: 70 }, (_, i) => JSON.stringify({ word, n: i, _step: i }));
      const answer = await ada.stream('great', { files: { 'wandb-history.jsonl': { offset: 0, content } } });
      expect(answer.status).toBe(200);
      expect(await ada.run('great', 'historyLineCount')).toEqual({ historyLineCount: 70 });
    });

    it.each([
      ['no JSON', 'not { json'],
      ['an array', '[]'],
      ['lines of another kind', { files: { 'wandb-history.jsonl': { offset: 0, content: 'x' } } }],
      [
        'a line that is no JSON',
        { files: { 'wandb-history.jsonl': { offset: 0, content: ['{', '{"ok":1,"_step":0}'] } } },
      ],
      [
        'numbers that JSON lacks',
        { files: { 'wandb-history.jsonl': { offset: 0, content: ['{"a":NaN,"_step":0}'] } } },
      ],
      ['U+0000', { files: { 'output.log': { offset: 0, content: ['a\u0000b'] } } }],
      ['a bad summary', { files: { 'wandb-summary.json': { offset: 0, content: ['{'] } } }],
    ])('answers 200 to %s, since a client that is refused is silent from then on', async (_what, body) => {
      await ada.upsert({ name: 'bad' });
      expect((await ada.stream('bad', body)).status).toBe(200);
    });

    it('ends the run, and takes its state from the exit code', async () => {
      for (const [exitcode, state] of [
        [0, 'finished'],
        [1, 'failed'],
      ]) {
        await ada.upsert({ name: `end-${state}` });
        await ada.stream(`end-${state}`, { complete: true, exitcode });
        expect(await ada.run(`end-${state}`, 'state')).toEqual({ state });
      }
    });

    it('tells a run that is to stop, until another session of it begins', async () => {
      const { id } = await ada.upsert({ name: 'stopped' });
      await ada.get(`mutation { stopRun(input: {id: "${id}"}) { success } }`);
      expect(await (await ada.stream('stopped', {})).json()).toMatchObject({ stopped: true });
      await ada.stream('stopped', { complete: true, exitcode: 255 });
      await ada.upsert({ name: 'stopped' });
      expect(await (await ada.stream('stopped', {})).json()).not.toHaveProperty('stopped');
    });
  });

  it('tells a client that resumes where its streams go on', async () => {
    await ada.upsert({ name: 'resumes', config: '{"_wandb": {"value": {"t": {"1": [9]}, "m": []}}}' });
    await ada.history('resumes', 0, { x: 1, _step: 0 });
    const query = `query ($entity: String) { model(name: "loom", entityName: $entity) {
      bucket(name: "resumes", missingOk: true) { historyLineCount eventsLineCount logLineCount eventsTail wandbConfig(keys: ["t"]) }
      none: bucket(name: "nothing", missingOk: true) { id } } }`;
    expect(await ada.get(query, { entity: ada.user.entity })).toEqual({
      model: {
        bucket: {
          historyLineCount: 1,
          eventsLineCount: 0,
          logLineCount: 0,
          eventsTail: '[]',
          wandbConfig: '{"t":{"1":[9]}}',
        },
        none: null,
      },
    });
  });

  it('goes back to a step', async () => {
    await ada.upsert({ name: 'back' });
    await ada.history('back', 0, ...[0, 1, 2, 3].map((step) => ({ x: step, _step: step })));
    const query = `mutation ($entity: String) { rewindRun(input: {runName: "back", projectName: "loom", entityName: $entity,
      metricName: "_step", metricValue: 1}) { rewoundRun { historyLineCount } } }`;
    expect(await ada.get(query, { entity: ada.user.entity })).toEqual({
      rewindRun: { rewoundRun: { historyLineCount: 2 } },
    });
    expect(await ada.rest('runs/back')).toMatchObject({ last_step: 1 });
  });

  it('has a page for those who may see it', async () => {
    await ada.upsert({ name: 'shown', displayName: '<b>first</b>' });
    const page = (run: string, headers: Record<string, string>) =>
      fetch(`${api.url}/${ada.user.entity}/loom/runs/${run}`, { headers });
    const shown = await page('shown', ada.user.basic);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await shown.text()).toContain('&lt;b&gt;first&lt;/b&gt;');
    expect((await page('nobody', ada.user.basic)).status).toBe(404);
    expect((await page('shown', eve.user.basic)).status).toBe(404);
    const asked = await page('shown', {});
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
  });

  it('has files, at addresses that are good for them only', async () => {
    await ada.upsert({ name: 'files' });
    const query = `mutation ($entity: String, $files: [String!]!) { createRunFiles(input: {runName: "files",
      projectName: "loom", entityName: $entity, files: $files}) { files { name uploadUrl } } }`;
    const entity = ada.user.entity;
    const { createRunFiles } = await ada.get<{ createRunFiles: { files: { uploadUrl: string }[] } }>(query, {
      entity,
      files: ['media/a b.txt'],
    });
    const [{ uploadUrl }] = createRunFiles.files as [{ uploadUrl: string }];
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'content' })).status).toBe(200);
    const download = `${api.url}/files/${entity}/loom/files/media/a%20b.txt`;
    expect(await (await fetch(download, { headers: ada.user.basic })).text()).toBe('content');
    expect((await fetch(download)).status).toBe(401);
    expect((await fetch(download, { headers: eve.user.basic })).status).toBe(404);
    expect((await fetch(`${uploadUrl.slice(0, -4)}AAAA`, { method: 'PUT', body: 'other' })).status).toBe(403);
    expect((await fetch(uploadUrl)).status).toBe(403);
    const refused = await ada.ask(query, { entity, files: ['../out'] });
    expect(refused.errors?.[0]?.message).toMatch(/path/i);
    expect(await ada.run('files', 'fileCount files(first: 5) { edges { node { name sizeBytes } } }')).toEqual({
      fileCount: 1,
      files: { edges: [{ node: { name: 'media/a b.txt', sizeBytes: 7 } }] },
    });
  });
});
