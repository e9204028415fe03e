import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { as, type Ask } from '../accounts/requests.js';
import { Receiver } from '../../support/receiver.js';

const ADMIN_API_KEY = `hd_${randomBytes(32).toString('base64url')}`;
const random = (): string => randomBytes(18).toString('base64url');
/** Both hold what JSON, URLs and base64 write in other ways. */
const TOKENS = [`canary"/+\\~${random()}`, `canary'&?=${random()}`];
const SIGNING = [`canary é🔑\n"/${random()}`, `canary\t<>+ ${random()}`];

/** Each way in which somebody could read `value` out of a text. */
function encodingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const inBase64 = [value, json].flatMap((text) =>
    ['', 'a', 'ab'].map((before) => {
      const encoded = Buffer.from(before + text).toString('base64');
      // Without what depends on its neighbours.
      return encoded.slice(4, 4 * Math.floor((before.length + Buffer.byteLength(text)) / 3));
    }),
  );
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(value).toString('hex'),
  ];
}

/** Every string in an answer, as its reader gets it. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
    : [String(value)];

describe('A secret', () => {
  let database: TestDatabase;
  let server: ChildProcess;
  let url: string;
  let log = '';
  const answers: string[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    server = fork('dist/apps/api/src/main.js', {
      env: {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        PORT: '0',
        LOG_LEVEL: 'trace',
        ADMIN_API_KEY,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [server.stdout!, server.stderr!])
      stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
    url = await new Promise((resolve, reject) => {
      server.once('message', (message: { url: string }) => resolve(message.url));
      server.once('exit', () => reject(new Error(log)));
    });
  }, 60_000);
  afterAll(async () => {
    await new Promise((resolve) => {
      server.once('exit', resolve);
      server.kill('SIGTERM');
    });
    await database.drop();
  });

  /** All rows of all tables, as text and as the bytes that binary columns hold. */
  async function dump(): Promise<string> {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await database.pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      for (const value of rows.flatMap((row) => Object.values(row))) {
        texts.push(
          Buffer.isBuffer(value) ? `${value.toString('latin1')} ${value.toString('utf8')}` : JSON.stringify(value),
        );
        if (typeof value === 'string') texts.push(value);
      }
    }
    return texts.join('\n');
  }

  it('is nowhere but in what is sent: in no answer, no log line and no row', async () => {
    const asked = as({ url }, { bearer: { authorization: `Bearer ${ADMIN_API_KEY}` } });
    const admin: Ask = async (...request) => {
      const answer = await asked(...request);
      answers.push(JSON.stringify(answer.body), ...textsIn(answer.body), ...[...answer.headers].flat());
      return answer;
    };
    const echo = await Receiver.start((response, { headers, body }) => {
      const told = `${String(headers.authorization)} ${body.toString()}`;
      response.writeHead(500, { 'x-token': headers.authorization, 'x-base64': Buffer.from(told).toString('base64') });
      const forms = [told, encodeURIComponent(told), Buffer.from(told).toString('base64url'), JSON.stringify(told)];
      response.end(forms.join('\n'));
    });
    const team = '/v1/teams/admin';
    const [token, signing] = [0, 0];
    await admin('POST', `${team}/secrets`, { name: 'TOKEN', value: TOKENS[token] });
    await admin('POST', `${team}/secrets`, { name: 'SIGNING', value: SIGNING[signing] });
    await admin('POST', `${team}/secrets`, { name: 'TOKEN', value: TOKENS[1] });
    await admin('POST', `${team}/secrets`, { name: 'no good name', value: TOKENS[1] });
    const url_endpoint = `http://127.0.0.1:${echo.port}/`;
    const hook = { name: 'echo', url_endpoint, access_token_ref: 'TOKEN', secret_ref: 'SIGNING' };
    const { body } = await admin('POST', `${team}/webhooks`, hook);
    const test = `${team}/webhooks/${String(body['id'])}/test`;
    const payload = { 'k ${ACCESS_TOKEN}': '$SIGNING', n: { v: '${SIGNING}${ACCESS_TOKEN}' } };
    expect((await admin('POST', test, { payload })).body).toMatchObject({ status: 500 });
    await admin('PUT', `${team}/secrets/TOKEN`, { value: TOKENS[1] });
    await admin('PUT', `${team}/secrets/TOKEN`, { value: `${TOKENS[0]}\n` });
    await admin('PUT', `${team}/secrets/SIGNING`, { value: SIGNING[1] });
    expect((await admin('POST', test, { payload })).body).toMatchObject({ status: 500 });
    await echo.close();
    expect((await admin('POST', test, { payload })).body).toMatchObject({ error_code: 'connection_refused' });
    for (const path of [`${team}/secrets`, `${team}/secrets/TOKEN`, `${team}/webhooks`]) await admin('GET', path);
    await admin('DELETE', `${team}/secrets/TOKEN`);

    // They did arrive, and the search does find what is there.
    expect(echo.requests.map(({ headers }) => headers.authorization)).toEqual(TOKENS.map((value) => `Bearer ${value}`));
    expect(echo.requests.map(({ body }) => (JSON.parse(body.toString()) as { n: { v: string } }).n.v)).toEqual(
      TOKENS.map((value, index) => SIGNING[index]! + value),
    );
    const stored = await dump();
    expect(stored).toContain('TOKEN');
    expect(log).toContain('/secrets/TOKEN');
    for (const canary of [...TOKENS, ...SIGNING].flatMap(encodingsOf)) {
      for (const place of [answers.join('\n'), log, stored]) expect(place).not.toContain(canary);
    }
  });
});
