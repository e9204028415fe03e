import { client } from './generated/client.gen.js';
import {
  automationsCreate,
  executionsList,
  historyLog,
  meGet,
  projectsCreate,
  runsCreate,
  secretsCreate,
  webhooksCreate,
} from './generated/index.js';
import type { WebhookDto } from './generated/index.js';

const { HEDDLE_URL: baseUrl = '', HEDDLE_API_KEY: key = '', NAME: name = '', RECEIVER: receiver = '' } = process.env;
// Either scheme is enough: the generated client would send both, one over the other.
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) });
const throwOnError = true;

const { data: me } = await meGet({ throwOnError });
const team = me.default_entity!;
await secretsCreate({
  throwOnError,
  path: { team },
  body: { name: name.toUpperCase(), value: 'a-secret-that-the-receiver-knows' },
});
const created = await webhooksCreate({
  throwOnError,
  path: { team },
  body: { name, url_endpoint: receiver, secret_ref: name.toUpperCase() },
});
const webhook: WebhookDto = created.data;
await projectsCreate({ throwOnError, body: { name } });
const { data: automation } = await automationsCreate({
  throwOnError,
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
});
const run = { entity: team, project: name, run: 'nightly' };
await runsCreate({ throwOnError, path: run, body: { name: run.run } });
await historyLog({
  throwOnError,
  path: run,
  body: {
    points: [
      { step: 0, metrics: { 'val/reward': 0.5 } },
      { step: 1, metrics: { 'val/reward': 0.95 } },
    ],
  },
});
for (;;) {
  const { data: list } = await executionsList({ throwOnError, path: { id: automation.id } });
  const execution = list.data[0];
  if (execution?.state === 'FINISHED') {
    process.stdout.write(JSON.stringify({ executions: list.data.length, attempts: execution.attempts }));
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
