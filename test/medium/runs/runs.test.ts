import { EventRecorder } from '../../support/events.js';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Ask, as, pluck } from '../accounts/requests.js';

describe('runs', () => {
  let api: TestApi;
  let ada: GivenUser & { entity: string };
  let ask: Ask;
  let runs: string;
  let events: EventRecorder;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    events = new EventRecorder(api);
    ada = await api.given.member();
    ask = as(api, ada);
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    const name = `loom-${++counter}`;
    await ask('POST', '/v1/projects', { name });
    runs = `/v1/projects/${ada.entity}/${name}/runs`;
    events.take();
  });

  it('start with a name of their own, and say so', async () => {
    const { status, body } = await ask('POST', runs, { name: 'first', display_name: 'First!', config: { lr: 0.1 } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'first',
      display_name: 'First!',
      state: 'RUNNING',
      created_by: ada.username,
      config: { lr: 0.1 },
      last_step: null,
    });
    expect(events.take()).toEqual([
      {
        type: 'RUN_STATE',
        state: 'RUNNING',
        actor: expect.objectContaining({ username: ada.username }),
        place: {
          teamId: expect.any(String),
          entity: ada.entity,
          project: { id: expect.any(Number), name: `loom-${counter}` },
          registry: null,
        },
        run: { id: body['id'], name: 'first', displayName: 'First!', createdBy: ada.username },
      },
    ]);
  });

  it('get a random name where none is given', async () => {
    const [a, b] = [await ask('POST', runs, {}), await ask('POST', runs, {})];
    expect(a.body['name']).toMatch(/^[\da-f]{10}$/);
    expect(a.body['name']).not.toBe(b.body['name']);
    expect(a.body['display_name']).toBe(a.body['name']);
  });

  it('have names that are unique in the project, also when two come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('POST', runs, { name: 'same' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(events.takeTypes()).toEqual(['RUN_STATE']);
  });

  it('are listed, oldest first, in pages, by state and by part of a name', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) await ask('POST', runs, { name, display_name: `The ${name}` });
    await ask('PATCH', `${runs}/beta`, { state: 'FINISHED' });
    const first = await ask('GET', `${runs}?limit=2`);
    expect(pluck(first, 'name')).toEqual(['alpha', 'beta']);
    const rest = await ask('GET', `${runs}?limit=2&after=${String(first.body['last_id'])}`);
    expect([pluck(rest, 'name'), rest.body['has_more']]).toEqual([['gamma'], false]);
    expect(pluck(await ask('GET', `${runs}?state=FINISHED`), 'name')).toEqual(['beta']);
    expect(pluck(await ask('GET', `${runs}?name=THE%20GA`), 'name')).toEqual(['gamma']);
    expect(pluck(await ask('GET', `${runs}?name=%25`), 'name')).toEqual([]);
    expect((await ask('GET', `${runs}?state=DONE`)).status).toBe(422);
  });

  it('change what is named, and tell of a new state once', async () => {
    await ask('POST', runs, { name: 'r', config: { a: 1 } });
    events.take();
    expect((await ask('PATCH', `${runs}/r`, { display_name: 'New' })).body).toMatchObject({
      display_name: 'New',
      state: 'RUNNING',
      config: { a: 1 },
    });
    expect(events.take()).toEqual([]);
    await ask('PATCH', `${runs}/r`, { state: 'FAILED' });
    await ask('PATCH', `${runs}/r`, { state: 'FAILED' });
    expect(events.take()).toMatchObject([{ type: 'RUN_STATE', state: 'FAILED', run: { displayName: 'New' } }]);
  });

  it('tell of a state once, when many reach it at the same time', async () => {
    await ask('POST', runs, { name: 'r' });
    events.take();
    await Promise.all(Array.from({ length: 6 }, () => ask('PATCH', `${runs}/r`, { state: 'FINISHED' })));
    expect(events.takeTypes()).toEqual(['RUN_STATE']);
  });

  it('keep their state where the event can not be kept', async () => {
    await ask('POST', runs, { name: 'r' });
    const answer = await events.refusing(() => ask('PATCH', `${runs}/r`, { state: 'FAILED' }));
    expect(answer.status).toBe(500);
    expect((await ask('GET', `${runs}/r`)).body['state']).toBe('RUNNING');
  });

  it('keep every JSON object as configuration', async () => {
    const config = JSON.parse('{"a\\u0000":"\\u0000\\ud800","constructor":{"x":[1,null]},"__proto__":1}') as object;
    await ask('POST', runs, { name: 'r', config });
    const { body } = await ask('GET', `${runs}/r`);
    expect(JSON.stringify(body['config'])).toBe(JSON.stringify(config));
  });

  it('are deleted with their history', async () => {
    await ask('POST', runs, { name: 'r' });
    await ask('POST', `${runs}/r/history`, { points: [{ metrics: { loss: 1 } }] });
    expect((await ask('DELETE', `${runs}/r`)).status).toBe(204);
    expect((await ask('GET', `${runs}/r`)).status).toBe(404);
    expect((await ask('DELETE', `${runs}/r`)).status).toBe(404);
    const { rows } = await api.database.pool.query(
      'SELECT FROM run_metrics m WHERE NOT EXISTS (SELECT FROM runs WHERE id = m.run_id)',
    );
    expect(rows).toEqual([]);
  });

  it('are invisible to another team', async () => {
    await ask('POST', runs, { name: 'r' });
    const eve = as(api, await api.given.member());
    const calls = [
      ['GET', runs],
      ['POST', runs, {}],
      ['GET', `${runs}/r`],
      ['PATCH', `${runs}/r`, { state: 'FAILED' }],
      ['DELETE', `${runs}/r`],
      ['POST', `${runs}/r/history`, { points: [] }],
      ['GET', `${runs}/r/history`],
      ['GET', `${runs}/r/history/sampled`],
      ['GET', `${runs}/r/summary`],
    ] as const;
    for (const [method, path, body] of calls) {
      expect([method, path, (await eve(method, path, body)).body['code']]).toEqual([method, path, 'entity_not_found']);
    }
  });

  it.each([
    { name: '' },
    { name: 'a/b' },
    { name: 'a:b' },
    { name: '..' },
    { name: 'a\u0000' },
    { name: 'n'.repeat(129) },
    { name: 1 },
    { display_name: 'two\nlines' },
    { config: [] },
    { config: 'text' },
  ])('refuse %j', async (body) => {
    expect((await ask('POST', runs, body)).status).toBe(422);
  });
});
