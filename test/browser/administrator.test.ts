import { createHmac, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type ReceivedRequest, Receiver } from '../support/receiver.js';
import { Product } from '../support/product.js';
import type { JsonObject } from './operation.js';
import { Rest } from '../support/rest.js';
import { SwaggerPage } from './swagger-page.js';

const KEY = `hd_${'k'.repeat(43)}`;
const TOKEN = 'ghp_token-of-the-receiver';
const SIGNING_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const VERSIONS = '/v1/projects/admin/loom/artifacts/chat-model/versions';

interface Execution extends JsonObject {
  id: string;
  state: string;
}

// On a busy machine Swagger UI takes seconds to open an operation.
jest.setTimeout(300_000);

const arrivals = new EventEmitter<{ request: [ReceivedRequest] }>();
let product: Product;
let receiver: Receiver;
let swagger: SwaggerPage;
let rest: Rest;

beforeAll(async () => {
  product = await Product.create();
  await product.start({ ADMIN_API_KEY: KEY });
  rest = new Rest(product.url, KEY);
  receiver = await Receiver.start((response, request) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"queued":true}');
    arrivals.emit('request', request);
  });
  swagger = await SwaggerPage.open(product.url);
});

afterAll(async () => {
  await swagger?.close();
  await receiver?.close();
  await product?.remove();
});

// The tests are one day, in order: each builds on what those before it made.
describe("An administrator's day in Swagger UI", () => {
  let webhookId: string;
  let automationId: string;

  it('begins with one key, which opens the routes of both kinds', async () => {
    await swagger.authorize(KEY);

    const me = await (await swagger.operation('accounts', 'get', '/v1/me')).execute();
    expect(me).toMatchObject({ status: 200, body: { username: 'admin', teams: [{ name: 'admin', role: 'admin' }] } });

    await rest.send('POST', '/v1/projects', { name: 'traces' });
    const read = await swagger.operation('tracing', 'post', '/call/read');
    const call = await read.execute({ edit: (example) => ({ ...example, project_id: 'admin/traces' }) });
    expect(call).toMatchObject({ status: 200, body: { call: null } });
  });

  it('stores an access token and a signing secret, and shows neither again', async () => {
    const create = await swagger.operation('secrets', 'post', '/v1/teams/{team}/secrets');
    const secret = (name: string, value: string) =>
      create.execute({ parameters: { team: 'admin' }, edit: (example) => ({ ...example, name, value }) });

    const created = [await secret('GITHUB_TOKEN', TOKEN), await secret('SIGNING_SECRET', SIGNING_SECRET)];

    expect(created.map(({ status }) => status)).toEqual([201, 201]);
    expect(created.map(({ body }) => body['name'])).toEqual(['GITHUB_TOKEN', 'SIGNING_SECRET']);
    expect(JSON.stringify(created)).not.toContain(TOKEN);
    expect(JSON.stringify(created)).not.toContain(SIGNING_SECRET);
  });

  it('registers a webhook from the example, with another address', async () => {
    const create = await swagger.operation('webhooks', 'post', '/v1/teams/{team}/webhooks');
    const created = await create.execute<{ id: string }>({
      parameters: { team: 'admin' },
      edit: (example) => ({
        ...example,
        url_endpoint: `http://127.0.0.1:${receiver.port}/dispatches`,
        secret_ref: 'SIGNING_SECRET',
      }),
    });
    expect(created).toMatchObject({
      status: 201,
      body: { enabled: true, access_token_ref: 'GITHUB_TOKEN', secret_ref: 'SIGNING_SECRET' },
    });
    webhookId = created.body.id;
  });

  it('sees what the receiver answers to a test', async () => {
    const test = await swagger.operation('webhooks', 'post', '/v1/teams/{team}/webhooks/{id}/test');
    const answer = await test.execute({ parameters: { team: 'admin', id: webhookId }, edit: (example) => example });
    expect(answer).toMatchObject({
      status: 200,
      body: { outcome: 'delivered', status: 200, body: '{"queued":true}', error: null },
    });
    expect(receiver.last.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('reads what a receiver is sent on which event', async () => {
    const sent = swagger.page.locator('.webhooks .opblock', { hasText: 'ADD_ARTIFACT_ALIAS' });
    await sent.locator('.opblock-summary-control').click();
    await sent.getByText('webhook-signature').waitFor();
    expect(await sent.locator('.opblock-section-request-body').innerText()).toContain('artifact_version_string');
  });

  it('creates a project, and an automation on it', async () => {
    const projects = await swagger.operation('projects', 'post', '/v1/projects');
    const project = await projects.execute({ edit: (example) => ({ ...example, entity: 'admin' }) });
    expect(project).toMatchObject({ status: 201, body: { id: 'admin/loom' } });

    const automations = await swagger.operation('automations', 'post', '/v1/automations');
    const automation = await automations.execute<{ id: string }>({
      edit: (example) => ({
        ...example,
        scope: { scope_type: 'PROJECT', scope_id: 'admin/loom' },
        action: { ...(example['action'] as JsonObject), team: 'admin', webhook_id: webhookId },
      }),
    });
    expect(automation).toMatchObject({
      status: 201,
      body: { enabled: true, event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: '^prod' } } },
    });
    automationId = automation.body.id;
  });

  it('tries the automation out and sends nothing', async () => {
    const before = receiver.requests.length;
    const evaluate = await swagger.operation('automations', 'post', '/v1/automations/{id}/evaluate');
    const dryRun = (changes: JsonObject) =>
      evaluate.execute<{ matched: boolean; checks: JsonObject[]; payload: string }>({
        parameters: { id: automationId },
        edit: (example) => ({ ...example, ...changes }),
      });

    const { status, body: hit } = await dryRun({});
    expect({ status, matched: hit.matched }).toEqual({ status: 200, matched: true });
    expectRepositoryDispatch(JSON.parse(hit.payload));

    const { body: miss } = await dryRun({ alias: 'staging' });
    expect(miss.matched).toBe(false);
    expect(miss.checks.filter(({ passed }) => !passed)).toEqual([
      { field: 'event.filter.alias_regex', expected: '^prod', actual: 'staging', passed: false },
    ]);
    expect(receiver.requests).toHaveLength(before);
  });

  it('ends with an alias, added by a program, that arrives signed and is FINISHED on the page', async () => {
    await rest.send('POST', '/v1/projects/admin/loom/artifacts', { name: 'chat-model', type: 'model' });
    await rest.send('POST', VERSIONS, { metadata: { accuracy: 0.93 } });
    const arriving = once(arrivals, 'request') as Promise<[ReceivedRequest]>;
    await rest.send('PUT', `${VERSIONS}/v0/aliases/production`);
    const [request] = await arriving;

    expect(request).toMatchObject({ method: 'POST', url: '/dispatches' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'x-service-signature': createHmac('sha256', SIGNING_SECRET).update(request.body).digest('hex'),
    });
    const payload = new Webhook(SIGNING_SECRET).verify(request.body, request.headers as Record<string, string>);
    expectRepositoryDispatch(payload);
    expect(payload).toMatchObject({
      client_payload: {
        event_author: 'admin',
        artifact_version_string: 'admin/loom/chat-model:production',
        artifact_collection_name: 'chat-model',
        project_name: 'loom',
        entity_name: 'admin',
      },
    });

    const executions = await swagger.operation('deliveries', 'get', '/v1/automations/{id}/executions');
    let execution: Execution | undefined;
    while (execution?.state !== 'FINISHED') {
      const list = await executions.execute<{ data: Execution[] }>({ parameters: { id: automationId } });
      expect(list).toMatchObject({ status: 200, body: { data: [{ automation_id: automationId }] } });
      [execution] = list.body.data;
    }
    expect(execution).toMatchObject({ id: request.headers['webhook-id'], attempts: 1, reason: null });

    const attempts = await swagger.operation('deliveries', 'get', '/v1/executions/{id}/attempts');
    const tries = await attempts.execute({ parameters: { id: execution.id } });
    expect(tries).toMatchObject({ body: { data: [{ number: 1, status: 200, response_body: '{"queued":true}' }] } });
  });

  it('may choose any example of an automation, and need only name what is hers', async () => {
    await rest.send('POST', '/v1/registries', { entity: 'admin', name: 'releases' });
    const automations = await swagger.operation('automations', 'post', '/v1/automations');
    const examples = await automations.examples();
    expect(examples).toEqual(expect.arrayContaining(['ADD_ARTIFACT_ALIAS', 'ADD_ARTIFACT_TAG', 'RUN_METRIC']));

    for (const name of examples) {
      await automations.chooseExample(name);
      const created = await automations.execute({
        edit: (example) => {
          const { scope, action } = example as { scope: JsonObject; action: JsonObject };
          return {
            ...example,
            scope: { ...scope, scope_id: String(scope['scope_id']).replace('weavers', 'admin') },
            action: { ...action, team: 'admin', webhook_id: webhookId },
          };
        },
      });
      // Those that are named after a receiver watch aliases.
      const eventType = /^[A-Z_]+$/.test(name) ? name : 'ADD_ARTIFACT_ALIAS';
      expect(created).toMatchObject({ status: 201, body: { event: { event_type: eventType } } });
    }
  });

  it('says what is wrong with a payload, and where', async () => {
    const automations = await swagger.operation('automations', 'post', '/v1/automations');
    const refused = await automations.execute({
      edit: (example) => ({
        ...example,
        action: { ...(example['action'] as JsonObject), request_payload: { text: '${artefact_version}' } },
      }),
    });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'action', 'request_payload'],
            msg: "There is no variable '${artefact_version}' (line 1, column 10)",
          },
        ],
      },
    });
  });
});

describe('Somebody who is no administrator', () => {
  it('reads in Swagger UI which role is missing', async () => {
    await rest.send('POST', '/v1/users', { username: 'ben' });
    await rest.send('PUT', '/v1/teams/admin/members/ben', { role: 'member' });
    const { key } = await rest.send<{ key: string }>('POST', '/v1/users/ben/api-keys', { name: 'browser' });
    const page = await SwaggerPage.open(product.url);
    try {
      await page.authorize(key);
      const create = await page.operation('webhooks', 'post', '/v1/teams/{team}/webhooks');
      const refused = await create.execute({ parameters: { team: 'admin' }, edit: (example) => example });
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'missing_role', detail: "You need the role 'admin' in team 'admin'" },
      });
    } finally {
      await page.close();
    }
  });
});

/** The documented body of GitHub's repository dispatch. */
function expectRepositoryDispatch(payload: unknown): void {
  const { event_type: type, client_payload: client, ...others } = payload as JsonObject;
  expect(others).toEqual({});
  expect(type).toEqual(expect.stringMatching(/^.{1,100}$/));
  expect(client).toEqual(expect.objectContaining({}));
  expect(Object.keys(client as object).length).toBeLessThanOrEqual(10);
}
