import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { RewrapSecretsService, SecretVaultService, SecretVaultModule } from '@heddle/secrets';
import { startApi, type TestApi } from '../../support/api.js';
import { as, type Ask } from '../accounts/requests.js';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

describe('Re-wrapping the secrets for a new key', () => {
  let api: TestApi;
  let team: { id: string; name: string };
  let admin: Ask;
  beforeAll(async () => {
    api = await startApi({ SECRETS_KEY: OLD });
    team = await api.given.team();
    admin = as(api, await api.given.user({ teams: [{ ...team, role: 'admin' }] }));
    for (let n = 0; n < 120; n++)
      await admin('POST', `/v1/teams/${team.name}/secrets`, { name: `S${n}`, value: `value ${n}` });
  });
  afterAll(() => api.close());

  /** The vault of a process with these keys. */
  async function withKeys<T>(
    settings: Record<string, string>,
    use: (vault: SecretVaultService, rewrap: RewrapSecretsService) => Promise<T>,
  ): Promise<T> {
    const env = Env.from({ NODE_ENV: 'test', DATABASE_URL: api.database.url, DATABASE_POOL_SIZE: '4', ...settings });
    class VaultApp {}
    const imports = [ConfigModule.forRoot(env), DatabaseModule.forRoot('heddle-test'), SecretVaultModule];
    const app = await NestFactory.createApplicationContext({ module: VaultApp, imports }, { logger: false });
    try {
      return await use(app.get(SecretVaultService), app.get(RewrapSecretsService));
    } finally {
      await app.close();
    }
  }
  const keysInUse = async (): Promise<number> =>
    (await api.database.pool.query('SELECT DISTINCT key_id FROM secrets')).rows.length;

  it('is done by a command, which may be run again', async () => {
    await withKeys({ SECRETS_KEY: NEW }, async (vault) => {
      await expect(vault.reveal(team.id, 'S7')).rejects.toMatchObject({ code: 'secret_unreadable' });
    });
    const command = (): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, ['dist/apps/worker/src/rewrap-secrets.js'], {
        env: { PATH: process.env['PATH'], DATABASE_URL: api.database.url, SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD },
      });
    expect((await command()).stdout).toBe('120 secrets encrypted anew\n');
    expect((await command()).stdout).toBe('0 secrets encrypted anew\n');
    expect(await keysInUse()).toBe(1);
    await withKeys({ SECRETS_KEY: NEW }, async (vault) => {
      expect(await vault.reveal(team.id, 'S7')).toBe('value 7');
      expect((await vault.revealAll(team.id, ['S0', 'S119'])).get('S119')).toBe('value 119');
    });
  });

  it('leaves a value alone that is rotated meanwhile, and finds it in the next run', async () => {
    await withKeys({ SECRETS_KEY: OLD, SECRETS_KEY_PREVIOUS: NEW }, async (vault, rewrap) => {
      const rotations = Array.from({ length: 20 }, (_, n) =>
        admin('PUT', `/v1/teams/${team.name}/secrets/S${n}`, { value: `rotated ${n}` }),
      );
      await Promise.all([rewrap.run(), rewrap.run(), ...rotations]);
      await rewrap.run();
      expect(await keysInUse()).toBe(1);
      expect(await vault.reveal(team.id, 'S5')).toBe('rotated 5');
      expect(await vault.reveal(team.id, 'S50')).toBe('value 50');
    });
  });

  it('names what no key opens, and does the rest', async () => {
    await api.database.pool.query("UPDATE secrets SET key_id = 'lost' WHERE name = 'S3'");
    await withKeys({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD }, async (_, rewrap) => {
      expect(await rewrap.run()).toEqual({ rewrapped: 119, unreadable: ['S3'] });
    });
  });

  it('opens no secret that was moved to another row or team', async () => {
    await withKeys({ SECRETS_KEY: NEW }, async (vault) => {
      await api.database.pool.query(
        `INSERT INTO secrets (id, team_id, name, version, key_id, nonce, ciphertext, created_by, updated_by)
         SELECT $1, team_id, 'MOVED', version, key_id, nonce, ciphertext, created_by, updated_by FROM secrets WHERE name = 'S9'`,
        [randomUUID()],
      );
      await expect(vault.reveal(team.id, 'MOVED')).rejects.toMatchObject({ code: 'secret_unreadable' });
      await expect(vault.reveal(randomUUID(), 'S9')).rejects.toMatchObject({ code: 'secret_not_found' });
      expect(await vault.reveal(team.id, 'S9')).toBe('rotated 9');
    });
  });
});
