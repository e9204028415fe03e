import { randomBytes } from 'node:crypto';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { describedBodies } from './described-bodies.js';

const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
/** What no field expects, as JSON text. */
const ODD = ['null', '[]', '[[]]', '[null]', '{}', '{"a": {"b": null}}', '1', '-1.5', '1e999', '9223372036854775807']
  .concat(['""', '"x"', '"\\ud800"', '"a\\ud800@x.org"', '"\\u0000"', 'true', deep, `{"a": ${deep}}`])
  .map((text) => ({ text, short: text.slice(0, 20) }));

/** Of a field, every so manieth of them: which, differs from field to field. */
const STRIDE = process.env['CI_FULL'] ? 1 : 3;

const all = describedBodies();

describe('fields of bodies', () => {
  let api: TestApi;
  let user: GivenUser;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: randomBytes(32).toString('base64') });
    const team = await api.given.team('weavers');
    user = await api.given.user({ username: 'ada', isAdmin: true, teams: [{ id: team.id, role: 'admin' }] });
    // What the examples speak of, so that bodies get beyond the checks of their form.
    await make('/v1/projects', { name: 'loom' });
    await make('/v1/projects/weavers/loom/artifacts', { name: 'chat-model', type: 'model' });
    await make('/v1/projects/weavers/loom/artifacts/chat-model/versions', { aliases: ['production'] });
    await make('/v1/registries', { name: 'releases' });
    await make('/v1/registries/weavers/releases/collections', { name: 'chat-models', type: 'model' });
  }, 60_000);
  afterAll(() => api.close());

  async function send(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
    const bearer = path.startsWith('/v1/');
    const headers = { ...(bearer ? user.bearer : user.basic), 'content-type': 'application/json' };
    const response = await fetch(api.url + path, { method, headers, body });
    return { status: response.status, text: await response.text() };
  }

  async function make(path: string, body: object): Promise<void> {
    const { status, text } = await send('POST', path, JSON.stringify(body));
    if (status !== 201) throw new Error(text);
  }

  it('are those of many routes', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  const isForSdks = (path: string): boolean =>
    !path.startsWith('/v1/') || /^\/v1\/(preview|chat|completions|responses)(\/|$)/.test(path);

  it.each(all.filter(({ path }) => !isForSdks(path)))('that $name does not know are refused', async (route) => {
    const { status, text } = await send(route.method, route.path, '{"sureley_unknown": 1}');
    expect([status, text]).toEqual([422, expect.stringContaining('There is no field sureley_unknown')]);
  });

  it.each(all.filter(({ path }) => !isForSdks(path)))(
    'that are misspelt in $name come with those meant',
    async (route) => {
      const misspelt = Object.fromEntries(route.fields.map((name) => [`${name}x`, 1]));
      const { status, text } = await send(route.method, route.path, JSON.stringify(misspelt));
      const { detail } = JSON.parse(text) as { detail: { ctx?: { did_you_mean: string } }[] };
      const meant = detail.map(({ ctx }) => ctx?.did_you_mean).filter((name) => name !== undefined);
      expect([status, meant.sort()]).toEqual([422, route.fields.toSorted()]);
    },
  );

  it.each(all.filter(({ path }) => isForSdks(path)))('that $name does not know are ignored', async (route) => {
    const { text } = await send(route.method, route.path, JSON.stringify({ ...route.body, sureley_unknown: 1 }));
    expect(text).not.toContain('sureley_unknown');
  });

  it.each(all)('of $name may be anything, and are no fault of the server', async ({ method, path, fields, body }) => {
    const faults: string[] = [];
    for (const [index, field] of fields.entries())
      for (const { text, short } of ODD.filter((_, n) => (n + index) % STRIDE === 0)) {
        const members = Object.entries(body).filter(([name, value]) => name !== field && value !== undefined);
        const others = members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `);
        const { status } = await send(method, path, `{${others.join('')}"${field}": ${text}}`);
        if (status >= 500) faults.push(`${field}: ${short} -> ${status}`);
      }
    expect(faults).toEqual([]);
  });
});
