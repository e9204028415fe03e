// From the request that adds an alias to the request that reaches the webhook's endpoint, when nothing else goes on.
import { setTimeout as pause } from 'node:timers/promises';
import { printTable } from '../support/table.mjs';
import { givenVersion, quantile } from './artifact.mjs';
import { givenAutomations, givenProject, givenWebhook } from './fill.mjs';
import { startReceiver, startWorker } from './processes.mjs';

const ALIASES = 200;
const WARM_UP = 20;
const REST_MS = 40;

export async function benchLatency({ server, pool, settings, backend }) {
  const project = await givenProject(pool, 'admin', 'latency');
  const receiver = await startReceiver(0);
  const webhookId = await givenWebhook(pool, project.teamId, receiver.port);
  await givenAutomations(pool, project, webhookId, ['^alias-']);
  const worker = await startWorker(settings);
  const version = await givenVersion(server, 'admin/latency');
  const times = [];
  for (let i = 0; i < ALIASES + WARM_UP; i++) {
    const { all } = await receiver.expect(1);
    const sent = performance.timeOrigin + performance.now();
    await version.addAlias(`alias-${i}`);
    times.push((await all) - sent);
    await pause(REST_MS);
  }
  version.close();
  await worker.stop();
  receiver.stop();
  const measured = times.slice(WARM_UP);
  printTable(
    `Alias added over HTTP to request received, on ${backend}, idle, ${ALIASES} times, ms`,
    ['', 'p50', 'p99', 'longest'],
    [['', quantile(measured, 0.5), quantile(measured, 0.99), Math.max(...measured)]],
  );
}
