// From the request that adds an alias to the request that reaches the webhook's endpoint: when nothing else goes on, and
// while other endpoints hang; in turns, so that both see the same machine.
import { setTimeout as pause } from 'node:timers/promises';
import { printTable } from '../support/table.mjs';
import { quantile } from '../support/quantile.mjs';
import { givenVersion } from './artifact.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook } from './fill.mjs';
import { startReceiver, startWorker } from './processes.mjs';

const ROUNDS = 4;
/** Of one round. */
const ALIASES = 100;
const WARM_UP = 10;
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
  const idle = [];
  const beside = [];
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(...(await measure(receiver, version, `alias-idle-${round}`)));
    const release = await hang(pool, project);
    beside.push(...(await measure(receiver, version, `alias-beside-${round}`)));
    await release();
  }
  version.close();
  await worker.stop();
  receiver.stop();
  const ofAll = [(times) => quantile(times, 0.5), (times) => quantile(times, 0.95), (times) => quantile(times, 0.99)];
  const figures = (times) => [...ofAll, (all) => Math.max(...all)].map((figure) => figure(times));
  const change = ofAll.map((figure) => `${((figure(beside) / figure(idle) - 1) * 100).toFixed(1)} %`);
  printTable(
    `Alias added over HTTP to request received, on ${backend}, ${ROUNDS * ALIASES} times, ms`,
    ['', 'p50', 'p95', 'p99', 'longest'],
    [
      ['nothing else goes on', ...figures(idle)],
      [`${HANGING} endpoints hang`, ...figures(beside)],
      ['change', ...change, ''],
    ],
  );
}

/** Gives endpoints that never answer more than they may have in flight. */
async function hang(pool, project) {
  const hanging = await startReceiver(1e6);
  for (let i = 0; i < HANGING; i++) {
    const webhookId = await givenWebhook(pool, project.teamId, hanging.port);
    const [automationId] = await givenAutomations(pool, project, webhookId, ['^never$']);
    await givenExecutions(pool, project, automationId, webhookId, STUCK_EACH);
  }
  return async () => {
    await pool.query("DELETE FROM automation_executions WHERE state = 'PENDING'");
    hanging.stop();
  };
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
