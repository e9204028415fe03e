// From the request that adds an alias to the request that reaches the webhook's endpoint: when nothing else goes on, and
// while other endpoints hang.
import { setTimeout as pause } from 'node:timers/promises';
import { printTable } from '../support/table.mjs';
import { givenVersion, quantile } from './artifact.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook } from './fill.mjs';
import { startReceiver, startWorker } from './processes.mjs';

const ALIASES = 200;
const WARM_UP = 20;
const REST_MS = 40;
const HANGING = 20;
/** More than may be in flight to one webhook. */
const STUCK_EACH = 12;

export async function benchLatency({ server, pool, settings, backend }) {
  const project = await givenProject(pool, 'admin', 'latency');
  const receiver = await startReceiver(0);
  const webhookId = await givenWebhook(pool, project.teamId, receiver.port);
  await givenAutomations(pool, project, webhookId, ['^alias-']);
  const worker = await startWorker(settings);
  const version = await givenVersion(server, 'admin/latency');
  const idle = await measure(receiver, version, 'alias-idle');
  const hanging = await startReceiver(1e6);
  for (let i = 0; i < HANGING; i++) {
    const stuck = await givenWebhook(pool, project.teamId, hanging.port);
    const [automationId] = await givenAutomations(pool, project, stuck, ['^never$']);
    await givenExecutions(pool, project, automationId, stuck, STUCK_EACH);
  }
  const beside = await measure(receiver, version, 'alias-beside');
  version.close();
  hanging.stop();
  await worker.stop();
  receiver.stop();
  await pool.query("DELETE FROM automation_executions WHERE state = 'PENDING'");
  const row = (name, times) => [
    name,
    quantile(times, 0.5),
    quantile(times, 0.95),
    quantile(times, 0.99),
    Math.max(...times),
  ];
  printTable(
    `Alias added over HTTP to request received, on ${backend}, ${ALIASES} times, ms`,
    ['', 'p50', 'p95', 'p99', 'longest'],
    [row('nothing else goes on', idle), row(`${HANGING} endpoints hang`, beside)],
  );
}

async function measure(receiver, version, prefix) {
  const times = [];
  for (let i = 0; i < ALIASES + WARM_UP; i++) {
    const { all } = await receiver.expect(1);
    const sent = performance.timeOrigin + performance.now();
    await version.addAlias(`${prefix}-${i}`);
    times.push((await all) - sent);
    await pause(REST_MS);
  }
  return times.slice(WARM_UP);
}
