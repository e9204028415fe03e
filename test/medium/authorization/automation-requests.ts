import type { Builder, Builders } from './request.js';
import type { Json, Scene } from './scene.js';

const SECRETS = '/v1/teams/weavers/secrets';
const WEBHOOKS = '/v1/teams/weavers/webhooks';

/** Of secrets, webhooks, automations and what these did. */
export const AUTOMATION_REQUESTS: Builders = {
  'POST /v1/teams/{team}/secrets': (scene) => ({ path: SECRETS, body: secretBody(scene) }),
  'GET /v1/teams/{team}/secrets/{name}': async (scene) => ({ path: await secret(scene) }),
  'PUT /v1/teams/{team}/secrets/{name}': async (scene) => ({ path: await secret(scene), body: { value: 'other' } }),
  'DELETE /v1/teams/{team}/secrets/{name}': async (scene) => ({ path: await secret(scene) }),

  'GET /v1/webhooks': async (scene) => {
    const { name } = webhookBody(scene);
    await scene.make('POST', WEBHOOKS, { ...webhookBody(scene), name });
    return { path: '/v1/webhooks?limit=100', shows: `"${name}"` };
  },
  'POST /v1/teams/{team}/webhooks': (scene) => ({ path: WEBHOOKS, body: webhookBody(scene) }),
  'GET /v1/teams/{team}/webhooks/{id}': async (scene) => ({ path: await webhook(scene) }),
  'PATCH /v1/teams/{team}/webhooks/{id}': async (scene) => ({ path: await webhook(scene), body: { enabled: false } }),
  'DELETE /v1/teams/{team}/webhooks/{id}': async (scene) => ({ path: await webhook(scene) }),
  'POST /v1/teams/{team}/webhooks/{id}/test': async (scene) => ({ path: `${await webhook(scene)}/test`, body: {} }),
  'POST /v1/webhooks/{id}/recover': async (scene) => ({
    path: `/v1/webhooks/${(await webhook(scene)).split('/').at(-1)!}/recover`,
    body: { since: '2020-01-01T00:00:00Z' },
  }),

  'POST /v1/automations': async (scene) => ({ path: '/v1/automations', body: await automationBody(scene) }),
  'GET /v1/automations': async (scene) => {
    const { name } = await automation(scene);
    return { path: '/v1/automations?limit=100', shows: name };
  },
  'GET /v1/automations/{id}': async (scene) => (await automation(scene)).at(''),
  'PATCH /v1/automations/{id}': async (scene) => ({ ...(await automation(scene)).at(''), body: { enabled: false } }),
  'DELETE /v1/automations/{id}': async (scene) => {
    const { name, at } = await automation(scene);
    return at(`?confirm=${name}`);
  },
  'POST /v1/automations/{id}/evaluate': async (scene) => ({
    ...(await automation(scene)).at('/evaluate'),
    body: { alias: 'prod', collection_name: 'agents', artifact_type: 'model' },
  }),
  'GET /v1/automations/{id}/events': async (scene) => (await automation(scene)).at('/events'),
  'GET /v1/automations/{id}/executions': async (scene) => (await automation(scene)).at('/executions'),

  'GET /v1/executions': async (scene) => ({ path: '/v1/executions', shows: await execution(scene) }),
  'GET /v1/executions/{id}': ofExecution(''),
  'GET /v1/executions/{id}/attempts': ofExecution('/attempts'),
  'POST /v1/executions/{id}/redeliver': async (scene) => {
    const id = await execution(scene);
    // As if it had been delivered: no worker does it here.
    await scene.api.database.pool.query(
      "UPDATE automation_executions SET state = 'FAILED', next_attempt_at = NULL WHERE id = $1",
      [id],
    );
    return { path: `/v1/executions/${id}/redeliver` };
  },
};

const secretBody = (scene: Scene): Json => ({ name: scene.fresh('SECRET').replace('-', '_'), value: 'some-value' });

async function secret(scene: Scene): Promise<string> {
  return scene.makeAt(SECRETS, secretBody(scene), 'name');
}

/** Nobody listens there. */
const webhookBody = (scene: Scene) => ({ name: scene.fresh('webhook'), url_endpoint: 'http://127.0.0.1:9/' });

const webhook = (scene: Scene): Promise<string> => scene.makeAt(WEBHOOKS, webhookBody(scene));

/** A team has few automations at once, each with a webhook: they share one. */
async function automationBody(scene: Scene): Promise<Json & { name: string }> {
  scene.names['webhook'] ??= String((await scene.make('POST', WEBHOOKS, webhookBody(scene)))['id']);
  return {
    name: scene.fresh('automation'),
    scope: { scope_type: 'PROJECT', scope_id: 'weavers/loom' },
    event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: '^watched$' } },
    action: { team: 'weavers', webhook_id: scene.names['webhook'] },
  };
}

async function automation(scene: Scene) {
  const body = await automationBody(scene);
  const { id } = await scene.make('POST', '/v1/automations', body);
  return { name: body.name, at: (end: string) => ({ path: `/v1/automations/${String(id)}${end}` }) };
}

/** Of an automation that fired once: the execution's id. */
async function execution(scene: Scene): Promise<string> {
  return (scene.names['execution'] ??= await fire(scene));
}

async function fire(scene: Scene): Promise<string> {
  const body = await automationBody(scene);
  const event = { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: '^fired$' } };
  const { id } = await scene.make('POST', '/v1/automations', { ...body, event });
  await scene.make('PUT', '/v1/projects/weavers/loom/artifacts/agents/versions/v0/aliases/fired');
  const { data } = await scene.make('GET', `/v1/automations/${String(id)}/executions`);
  return String((data as Json[])[0]!['id']);
}

function ofExecution(end: string): Builder {
  return async (scene) => ({ path: `/v1/executions/${await execution(scene)}${end}` });
}
