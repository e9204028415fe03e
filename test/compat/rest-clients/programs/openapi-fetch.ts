import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi.js';

const { HEDDLE_URL: baseUrl = '', HEDDLE_API_KEY: key = '', NAME: name = '', RECEIVER: receiver = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** What was answered, or what went wrong. */
async function answer<T>(sent: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await sent;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const me = await answer(client.GET('/v1/me'));
const team = me.default_entity!;
await answer(
  client.POST('/v1/teams/{team}/secrets', {
    params: { path: { team } },
    body: { name: name.toUpperCase(), value: 'a-secret-that-the-receiver-knows' },
  }),
);
const webhook: components['schemas']['WebhookDto'] = await answer(
  client.POST('/v1/teams/{team}/webhooks', {
    params: { path: { team } },
    body: { name, url_endpoint: receiver, secret_ref: name.toUpperCase() },
  }),
);
await answer(client.POST('/v1/projects', { body: { name } }));
const automation = await answer(
  client.POST('/v1/automations', {
    body: {
      name,
      scope: { scope_type: 'PROJECT', scope_id: `${team}/${name}` },
      event: { event_type: 'RUN_METRIC', filter: { name: 'val/reward', cmp_op: '>=', threshold: 0.9 } },
      action: {
        action_type: 'Webhooks',
        team,
        webhook_id: webhook.id,
        request_payload: { run: '${run_name}', value: '${metric_value}' },
      },
    },
  }),
);
const run = { entity: team, project: name, run: 'nightly' };
await answer(client.POST('/v1/projects/{entity}/{project}/runs', { params: { path: run }, body: { name: run.run } }));
await answer(
  client.POST('/v1/projects/{entity}/{project}/runs/{run}/history', {
    params: { path: run },
    body: {
      points: [
        { step: 0, metrics: { 'val/reward': 0.5 } },
        { step: 1, metrics: { 'val/reward': 0.95 } },
      ],
    },
  }),
);
for (;;) {
  const list = await answer(client.GET('/v1/automations/{id}/executions', { params: { path: { id: automation.id } } }));
  const execution = list.data[0];
  if (execution?.state === 'FINISHED') {
    process.stdout.write(JSON.stringify({ executions: list.data.length, attempts: execution.attempts }));
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
