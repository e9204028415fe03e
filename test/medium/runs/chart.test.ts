import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Ask, as } from '../accounts/requests.js';

describe('the chart of a run', () => {
  let api: TestApi;
  let ada: GivenUser & { entity: string };
  let ask: Ask;
  let runs: string;
  let run: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    ada = await api.given.member();
    ask = as(api, ada);
    await ask('POST', '/v1/projects', { name: 'loom' });
    runs = `/v1/projects/${ada.entity}/loom/runs`;
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    run = `${runs}/run-${++counter}`;
    await ask('POST', runs, { name: `run-${counter}`, display_name: `Run <${counter}>` });
  });

  const log = (points: unknown): Promise<unknown> => ask('POST', `${run}/history`, { points });
  const get = (query = ''): Promise<Response> => fetch(`${api.url}${run}/chart?${query}`, { headers: ada.bearer });
  const texts = async (query = ''): Promise<string[]> =>
    [...(await (await get(query)).text()).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);

  it('is an SVG document that may run and load nothing', async () => {
    await log([{ metrics: { loss: 1 } }]);
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/s);
  });

  it('shows rewards and losses, with their last values', async () => {
    const metrics = { lr: 1e-5, 'train/loss': 2, 'train/policy_loss': 2, 'train/reward': 0.25, 'val/reward': 0.5 };
    await log([
      { step: 0, metrics },
      { step: 1500, metrics: { 'train/loss': 1.23456 } },
    ]);
    const shown = await texts();
    expect(shown.filter((text) => text in metrics)).toEqual(['train/reward', 'val/reward', 'train/loss']);
    expect(shown).toEqual(expect.arrayContaining([`Run &lt;${counter}&gt;`, '1.235', 'at step 1,500']));
  });

  it('shows the metrics that are named, in their order, with commas between or inside', async () => {
    await log([{ metrics: { a: 1, b: 2, 'c,d': 3, loss: 4 } }]);
    const named = ['a', 'b', 'c,d', 'loss'];
    const shown = async (query: string): Promise<string[]> =>
      (await texts(query)).filter((text) => named.includes(text));
    expect(await shown('metric=b,a')).toEqual(['b', 'a']);
    expect(await shown('metric=c,d&metric=b&metric=b')).toEqual(['c,d', 'b']);
    expect(await shown('metric=')).toEqual(['loss']);
  });

  it('says which metric there is not, and which there are', async () => {
    await log([{ metrics: { loss: 1, 'val/reward': 1 } }]);
    const response = await get('metric=loss,speed');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')]);
    expect(await response.json()).toMatchObject({
      code: 'metric_not_found',
      detail: `Run 'run-${counter}' has no metric 'speed'. It has 'loss', 'val/reward'`,
    });
  });

  it('says that nothing is logged yet, whatever metric it waits for', async () => {
    expect(await texts()).toContain('no metrics logged yet');
    expect(await texts('metric=loss&height=140')).toContain('no metrics logged yet');
  });

  it('shows the steps that are asked for', async () => {
    await log([1, 2, 3, 4].map((step) => ({ step, metrics: { loss: step * 11 } })));
    expect(await texts('from_step=2&to_step=3')).toEqual(expect.arrayContaining(['33', 'at step 3']));
    expect(await texts('to_step=0')).toContain('no values at these steps');
    expect(await texts('from_step=9')).toContain('no values at these steps');
  });

  it('takes the values and steps that history takes', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await log([
      { step: 0, metrics: { loss: 1.7e308, reward: 5e-324 } },
      { step: 1, metrics: { loss: 1.7e308, reward: 5e-324 } },
      { step: most, metrics: { loss: -1.7e308 } },
    ]);
    const response = await get('smooth=0.5');
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/NaN|Infinity/);
  });

  it('draws what is finite, and says of the last value what it is', async () => {
    const nothing = { step: 1, metrics: { loss: 'NaN', reward: 'Infinity', 'val/loss': 'NaN' } };
    await log([{ step: 0, metrics: { loss: 0.5, reward: 2 } }, nothing, { step: 2, metrics: { reward: 4 } }]);
    const svg = await (await get()).text();
    const shown = await texts();
    expect(shown).toEqual(expect.arrayContaining(['NaN', 'at step 1', '4', 'at step 2']));
    // Of val/loss there is nothing to draw.
    expect(shown.filter((text) => text === 'no finite values at these steps')).toHaveLength(1);
    expect(svg.match(/class="mark-line/g)).toHaveLength(2);
    expect(svg.replace(/<text.*?<\/text>/g, '')).not.toMatch(/NaN|Infinity/);
  });

  it('stays small over many values, and true to the extremes', async () => {
    await api.database.pool.query(
      `INSERT INTO run_metrics (run_id, name, step, value, logged_at)
       SELECT runs.id, 'loss', n, CASE n WHEN 60000 THEN 50 ELSE n % 7 END, now()
         FROM runs, generate_series(0, 99999) AS n WHERE runs.name = $1`,
      [`run-${counter}`],
    );
    const svg = await (await get()).text();
    expect(svg.length).toBeLessThan(100_000);
    // The one high value is on the axis, though its pixel has 150 others.
    expect(svg).toContain('>50</text>');
    expect(svg).toContain('at step 99,999');
  }, 60_000);

  it('is invisible to another team', async () => {
    const eve = as(api, await api.given.member());
    expect((await eve('GET', `${run}/chart`)).body['code']).toBe('entity_not_found');
    expect((await as(api, null)('GET', `${run}/chart`)).status).toBe(401);
    expect((await ask('GET', `${runs}/other/chart`)).body['code']).toBe('run_not_found');
  });

  it.each([
    ['width=239', 'width'],
    ['height=2001', 'height'],
    ['smooth=1', 'smooth'],
    ['from_step=-1', 'from_step'],
    ['from_step=5&to_step=4', 'to_step'],
    ['metric=%00', 'metric'],
    ['metric=a,b,c&height=200', 'height'],
    ['metric=a,b,c,d,e,f,g,h,i', 'metric'],
  ])('refuses %s and names the place', async (query, field) => {
    await log([{ metrics: Object.fromEntries([...'abcdefghi'].map((name) => [name, 1])) }]);
    const response = await get(query);
    expect([response.status, ((await response.json()) as { detail: { loc: string[] }[] }).detail[0]!.loc]).toEqual([
      422,
      ['query', field],
    ]);
  });
});
