import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Webhook } from '@heddle/database';
import { type Attempt, WebhookDeliveryService, WebhooksRepository } from '@heddle/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { startApi, type TestApi } from '../../support/api.js';
import { as, type Ask } from '../accounts/requests.js';
import { Receiver } from '../../support/receiver.js';

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const VARIABLES = { alias: 'prod "é" 🔑\u2028', artifact_metadata: { acc: 0.93 } };
const PAYLOAD = '{"alias": "${alias}", "acc": ${artifact_metadata.acc}}';

describe('WebhookDeliveryService', () => {
  let api: TestApi;
  let receiver: Receiver;
  let admin: Ask;
  let team: { id: string; name: string };
  beforeAll(async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    api = await startApi({ SECRETS_KEY, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' });
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await api.close();
  });
  beforeEach(async () => {
    team = await api.given.team();
    admin = as(api, await api.given.user({ teams: [{ ...team, role: 'admin' }] }));
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'TOKEN', value: 'ghp_t0ken' });
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'SIGNING', value: WHSEC });
  });

  async function webhook(settings: object = {}): Promise<Webhook> {
    const hook = { name: 'a', url_endpoint: `http://127.0.0.1:${receiver.port}/`, secret_ref: 'SIGNING', ...settings };
    const { body } = await admin('POST', `/v1/teams/${team.name}/webhooks`, hook);
    return (await api.provider(WebhooksRepository).find(team.id, String(body['id'])))!;
  }
  const attempt = (to: Webhook, payload = PAYLOAD, id: string = randomUUID()): Promise<Attempt> =>
    api.provider(WebhookDeliveryService).attempt(to, { id, payload, variables: VARIABLES });

  it("sends what other people's verifiers accept", async () => {
    const id = randomUUID();
    expect(await attempt(await webhook({ access_token_ref: 'TOKEN' }), PAYLOAD, id)).toMatchObject({
      outcome: 'delivered',
    });
    const { headers, body } = receiver.last;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer ghp_t0ken',
      'webhook-id': id,
    });
    for (const verifier of [new StandardWebhook(WHSEC), new SvixWebhook(WHSEC)]) {
      const seen = verifier.verify(body.toString(), headers as Record<string, string>);
      expect(seen).toEqual({ alias: VARIABLES.alias, acc: 0.93 });
    }
    expect(opensslHmac(WHSEC, body)).toBe(headers['x-service-signature']);
  });

  it('sends neither token nor signature without a secret', async () => {
    await attempt(await webhook({ secret_ref: null }));
    expect(Object.keys(receiver.last.headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
    ]);
  });

  it('reads the secrets at the time of the attempt', async () => {
    const to = await webhook();
    await attempt(to);
    await admin('PUT', `/v1/teams/${team.name}/secrets/SIGNING`, { value: 'rotated' });
    await attempt(to);
    expect(opensslHmac('rotated', receiver.last.body)).toBe(receiver.last.headers['x-service-signature']);
  });

  it('sends nothing, and says so, where trying again would change nothing', async () => {
    const to = await webhook();
    const sent = receiver.connections;
    const blocked = (errorCode: string): object => expect.objectContaining({ outcome: 'blocked', errorCode });
    expect(await attempt({ ...to, secretRef: 'GONE' })).toEqual(blocked('missing_secret'));
    await admin('POST', `/v1/teams/${team.name}/secrets`, { name: 'LINES', value: 'two\nlines' });
    expect(await attempt({ ...to, accessTokenRef: 'LINES' })).toEqual(blocked('invalid_access_token'));
    expect(await attempt({ ...to, secretRef: null }, '"${SIGNING}"')).toEqual(blocked('invalid_payload'));
    const large = `[${Array.from({ length: 8000 }, () => '"${alias}${alias}"').join()}]`;
    expect(await attempt(to, large)).toEqual(blocked('payload_too_large'));
    expect(await attempt({ ...to, urlEndpoint: 'https://10.0.0.1/' })).toEqual(blocked('blocked_address'));
    expect(receiver.connections).toBe(sent);
  });

  it('is worth trying again where the operator lost the key', async () => {
    const to = await webhook();
    await api.database.pool.query("UPDATE secrets SET key_id = 'lost' WHERE team_id = $1", [team.id]);
    expect(await attempt(to)).toMatchObject({ outcome: 'failed', errorCode: 'secret_unreadable' });
  });

  describe('and the health of webhooks', () => {
    const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1000);
    const health = async (id: string): Promise<Webhook> => (await api.provider(WebhooksRepository).find(team.id, id))!;

    it('pauses a webhook after 5 failures in a row, for a minute that doubles up to an hour', async () => {
      const { id } = await webhook();
      const webhooks = api.provider(WebhooksRepository);
      const pauses: (number | null)[] = [];
      for (let n = 0; n < 13; n++) {
        const { pausedUntil, consecutiveFailures, failingSince } = (await webhooks.recordFailure(id, at(n)))!;
        expect({ consecutiveFailures, failingSince }).toEqual({ consecutiveFailures: n + 1, failingSince: at(0) });
        pauses.push(pausedUntil && (pausedUntil.getTime() - at(n).getTime()) / 1000);
      }
      expect(pauses).toEqual([null, null, null, null, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
      await webhooks.recordSuccess(id, at(60));
      expect(await health(id)).toMatchObject({
        consecutiveFailures: 0,
        failingSince: null,
        pausedUntil: null,
        lastSuccessAt: at(60),
      });
    });

    it('loses no failure among those recorded at once, and ends at no number of them', async () => {
      const { id } = await webhook();
      await Promise.all(Array.from({ length: 40 }, () => api.provider(WebhooksRepository).recordFailure(id, at(0))));
      expect(await health(id)).toMatchObject({ consecutiveFailures: 40, pausedUntil: at(3600) });
      expect(await api.provider(WebhooksRepository).recordFailure(randomUUID(), at(0))).toBeNull();
    });

    it('writes down a success once a minute', async () => {
      const { id } = await webhook();
      for (const second of [0, 59, 120]) {
        await api.provider(WebhooksRepository).recordSuccess(id, at(second));
      }
      expect((await health(id)).lastSuccessAt).toEqual(at(120));
      await api.provider(WebhooksRepository).recordSuccess(id, at(130));
      expect((await health(id)).lastSuccessAt).toEqual(at(120));
    });

    it('is disabled once, with the first reason', async () => {
      const { id } = await webhook();
      const webhooks = api.provider(WebhooksRepository);
      expect([await webhooks.disable(id, 'gone'), await webhooks.disable(id, 'failing')]).toEqual([true, false]);
      expect(await health(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    });
  });
});

/** `openssl dgst -sha256 -hmac`, from a shell. */
function opensslHmac(secret: string, body: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-body-'));
  writeFileSync(join(folder, 'body'), body);
  const printed = execFileSync('sh', ['-c', 'openssl dgst -sha256 -hmac "$1" body', 'sh', secret], { cwd: folder });
  rmSync(folder, { recursive: true });
  return printed.toString().trim().split(' ').at(-1)!;
}
