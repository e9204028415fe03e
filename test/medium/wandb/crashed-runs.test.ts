import { Run } from '@heddle/database';
import { CrashedRunsHandler, RunWriter } from '@heddle/runs';
import { DataSource } from 'typeorm';
import { startApi, type TestApi } from '../../support/api.js';
import { SdkClient } from './sdk-client.js';

describe('a run that falls silent', () => {
  let api: TestApi;
  let ada: SdkClient;
  let sweep: () => Promise<void>;
  beforeAll(async () => {
    api = await startApi();
    ada = new SdkClient(api, await api.given.member());
    const handler = new CrashedRunsHandler(api.provider(RunWriter), api.provider(DataSource));
    sweep = () => handler.handle();
  });
  afterAll(() => api.close());

  const stateOf = async (run: string): Promise<string> => (await ada.rest<{ state: string }>(`runs/${run}`)).state;
  const silence = async (run: string, minutes: number): Promise<void> => {
    const heartbeatAt = new Date(Date.now() - minutes * 60_000);
    await api.provider(DataSource).getRepository(Run).update({ name: run }, { heartbeatAt });
  };

  it('has crashed after five minutes, and runs again once it is heard of', async () => {
    await ada.upsert({ name: 'silent' });
    await ada.upsert({ name: 'alive' });
    await silence('silent', 6);
    await silence('alive', 4);
    await sweep();
    expect([await stateOf('silent'), await stateOf('alive')]).toEqual(['CRASHED', 'RUNNING']);
    await ada.stream('silent', {});
    expect(await stateOf('silent')).toBe('RUNNING');
  });

  it('has crashed also where its maker is gone', async () => {
    const team = await api.given.team();
    const guest = new SdkClient(api, { ...(await api.given.user({ teams: [team] })), entity: team.name });
    await guest.upsert({ name: 'orphan' });
    await silence('orphan', 6);
    await api.database.pool.query('DELETE FROM users WHERE username = $1', [guest.user.username]);
    await sweep();
    const { rows } = await api.database.pool.query("SELECT state FROM runs WHERE name = 'orphan'");
    expect(rows).toEqual([{ state: 'CRASHED' }]);
  });

  it('has not crashed once it has ended, nor where no client speaks for it', async () => {
    await ada.upsert({ name: 'ended' });
    await ada.stream('ended', { complete: true, exitcode: 0 });
    const url = `${api.url}/v1/projects/${ada.user.entity}/loom/runs`;
    const headers = { ...ada.user.bearer, 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'by-rest' }) });
    await sweep();
    expect([await stateOf('ended'), await stateOf('by-rest')]).toEqual(['FINISHED', 'RUNNING']);
  });

  it('tells its automations', async () => {
    const { rows } = await api.database.pool.query<{ state: string }>(
      `SELECT (event::jsonb)->>'state' AS state FROM automation_events WHERE type = 'RUN_STATE' AND event LIKE '%"silent"%'`,
    );
    expect(rows.map(({ state }) => state)).toContain('CRASHED');
  });
});
