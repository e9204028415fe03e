import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GivenUser } from '../../support/given.js';
import { type AccountsApi, startAccounts } from './accounts-api.js';

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });

describe('Authentication', () => {
  let api: AccountsApi;
  let ada: GivenUser;

  beforeAll(async () => {
    api = await startAccounts();
    ada = await api.given.user({ username: 'ada' });
  });
  afterAll(() => api.close());

  async function ask(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${api.url}/probe/${path}`, { headers });
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
      text: await response.text(),
    };
  }

  it('knows the owner of a bearer token', async () => {
    expect(await ask('bearer', ada.bearer)).toMatchObject({ status: 200, text: '{"username":"ada"}' });
    expect((await ask('bearer', { authorization: `bearer ${ada.key}` })).status).toBe(200);
  });

  it('knows the owner of a basic password, whoever the user is said to be', async () => {
    for (const user of ['api', 'somebody else', '']) {
      expect(await ask('basic', basic(`${user}:${ada.key}`))).toMatchObject({
        status: 200,
        text: '{"username":"ada"}',
      });
    }
  });

  it('takes the key either way on every route, and no other key', async () => {
    for (const route of ['bearer', 'basic'])
      for (const headers of [
        ada.bearer,
        ada.basic,
        { authorization: `BASIC ${ada.basic.authorization.split(' ')[1]!}` },
      ])
        expect(await ask(route, headers)).toMatchObject({ status: 200, text: '{"username":"ada"}' });
    expect((await ask('bearer', { authorization: `Bearer ${ada.basic.authorization.split(' ')[1]!}` })).status).toBe(
      401,
    );
    expect((await ask('basic', { authorization: `Basic ${ada.key}` })).status).toBe(401);
  });

  it('knows the owner of the key in the header of OTLP exporters, on basic routes only', async () => {
    expect((await ask('basic', { 'wandb-api-key': ada.key })).status).toBe(200);
    expect((await ask('bearer', { 'wandb-api-key': ada.key })).status).toBe(401);
  });

  it('opens public routes to everybody and undeclared ones to nobody', async () => {
    expect((await ask('public')).status).toBe(200);
    expect((await ask('public', { authorization: 'Bearer wrong' })).status).toBe(200);
    for (const headers of [{}, ada.bearer, ada.basic]) {
      expect(await ask('undeclared', headers)).toMatchObject({
        status: 403,
        text: expect.stringContaining('route_closed'),
      });
    }
  });

  it.each([
    ['no header', {}],
    ['an unknown key', { authorization: 'Bearer hd_wrong' }],
    ['no key', { authorization: 'Bearer' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['two keys', { authorization: 'Bearer a b' }],
    ['another scheme', basic('api:hd_wrong')],
    ['no scheme', { authorization: 'hd_wrong' }],
  ])('asks for a bearer token: %s', async (_, headers: Record<string, string>) => {
    expect(await ask('bearer', headers)).toMatchObject({ status: 401, challenge: 'Bearer realm="heddle"' });
  });

  it.each([
    ['no header', {}],
    ['an unknown key', basic('api:hd_wrong')],
    ['an empty key', basic('api:')],
    ['no colon', basic('hd_wrong')],
    ['no base64', { authorization: 'Basic %%%' }],
    ['nothing', { authorization: 'Basic' }],
    ['another scheme', { authorization: 'Bearer hd_wrong' }],
    ['an unknown key of an exporter', { 'wandb-api-key': 'hd_wrong' }],
  ])('asks for a basic password: %s', async (_, headers: Record<string, string>) => {
    expect(await ask('basic', headers)).toMatchObject({ status: 401, challenge: 'Basic realm="heddle"' });
  });

  it('takes no key from the query', async () => {
    expect((await ask(`bearer?access_token=${ada.key}`)).status).toBe(401);
    expect((await ask(`bearer?access_token=wrong`, ada.bearer)).status).toBe(200);
  });

  it('never repeats a credential in its answer', async () => {
    for (const path of ['bearer', 'basic', 'undeclared']) {
      for (const headers of [
        { authorization: 'Bearer hd_leaky' },
        basic('api:hd_leaky'),
        { 'wandb-api-key': 'hd_leaky' },
      ]) {
        const { text } = await ask(path, headers);
        expect(text).not.toContain('hd_leaky');
        expect(text).not.toContain(Buffer.from('api:hd_leaky').toString('base64'));
      }
    }
  });

  it('tells many callers apart who come at once', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => api.given.user()));
    const answers = await Promise.all(
      users.flatMap((user) => [ask('bearer', user.bearer), ask('basic', user.basic), ask('bearer', user.bearer)]),
    );
    expect(answers.map(({ text }) => JSON.parse(text).username)).toEqual(
      users.flatMap(({ username }) => [username, username, username]),
    );
  });

  it('answers also where the time of use cannot be written', async () => {
    const bob = await api.given.user();
    await api.database.pool.query(
      'ALTER TABLE api_keys ADD CONSTRAINT unwritable CHECK (last_used_at IS NULL) NOT VALID',
    );
    try {
      for (let i = 0; i < 3; i++) expect((await ask('bearer', bob.bearer)).status).toBe(200);
    } finally {
      await api.database.pool.query('ALTER TABLE api_keys DROP CONSTRAINT unwritable');
    }
  });

  it('keeps two instances in one process apart', async () => {
    const other = await startAccounts();
    try {
      const bob = await other.given.user({ username: 'bob' });
      expect(await ask('bearer', ada.bearer)).toMatchObject({ status: 200, text: '{"username":"ada"}' });
      expect((await ask('bearer', bob.bearer)).status).toBe(401);
      expect((await fetch(`${other.url}/probe/bearer`, { headers: ada.bearer })).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});
