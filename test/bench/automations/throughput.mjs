// Sustained deliveries to receivers that take 5 ms, against a bare BullMQ processor that does the same POST on the same
// backend with the same number of requests in flight. A ratio is of two neighbours in time: machines are noisy.
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook, PAYLOAD } from './fill.mjs';
import { cpuTimeOf, startBareWorker, startReceiver, startWorker } from './processes.mjs';

const RECEIVER_MS = 5;
/** Not counted: until then it is V8's compiler that is measured. */
const WARM_UP = 2000;
const DELIVERIES = 6000;
const ROUNDS = 5;
const IN_FLIGHT = 10;

export async function benchThroughput({ pool, settings, backend }) {
  const rows = [];
  for (const webhooks of [1, 8]) rows.push(...(await compare(pool, settings, webhooks)));
  printTable(
    `Deliveries on ${backend}: ${RECEIVER_MS} ms receivers, ${IN_FLIGHT} in flight to each, median of ${ROUNDS} rounds of ${DELIVERIES}`,
    ['', 'deliveries/s', 'lowest', 'highest', 'CPU ms each', 'ratio', 'lowest', 'highest'],
    rows,
  );
}

async function compare(pool, settings, count) {
  const receivers = await Promise.all(Array.from({ length: count }, () => startReceiver(RECEIVER_MS)));
  const bare = [];
  const ours = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await measureBare(receivers, settings));
    ours.push(await measureProduct(pool, receivers, settings));
  }
  for (const receiver of receivers) receiver.stop();
  const summary = (values) => [median(values), Math.min(...values), Math.max(...values)];
  const row = (name, runs) => [
    name,
    ...summary(runs.map(({ rate }) => rate)),
    median(runs.map(({ cpu }) => cpu)),
    ...summary(runs.map(({ rate }, round) => rate / bare[round].rate)),
  ];
  const to = `${count} webhook${count > 1 ? 's' : ''}`;
  return [row(`bare processor, ${to}`, bare), row(`Heddle, ${to}`, ours)];
}

async function measureBare(receivers, settings) {
  const bare = await startBareWorker({
    ...settings,
    RECEIVERS: receivers.map(({ port }) => port).join(),
    CONCURRENCY: String(IN_FLIGHT * receivers.length),
    BODY: PAYLOAD,
  });
  await bare.add(WARM_UP + DELIVERIES);
  const measured = await measure(receivers, bare, async () => bare.work());
  await bare.stop();
  return measured;
}

async function measureProduct(pool, receivers, settings) {
  const project = await givenProject(pool, 'admin', `bench-${Date.now()}`);
  const worker = await startWorker({ ...settings, WEBHOOK_SWEEP_SECONDS: '1' });
  const targets = [];
  for (const { port } of receivers) {
    const webhookId = await givenWebhook(pool, project.teamId, port);
    const [automationId] = await givenAutomations(pool, project, webhookId, ['production']);
    targets.push({ webhookId, automationId });
  }
  const measured = await measure(receivers, worker, async () => {
    const each = (WARM_UP + DELIVERIES) / receivers.length;
    for (const { automationId, webhookId } of targets)
      await givenExecutions(pool, project, automationId, webhookId, each);
  });
  await untilWritten(pool);
  await worker.stop();
  return measured;
}

/**
 * From the first request after the warm-up to the last.
 * @returns requests a second, and the milliseconds of CPU that each takes the worker's process
 */
async function measure(receivers, worker, start) {
  const count = (part) => part / receivers.length;
  const expect = (receiver) => receiver.expect(count(WARM_UP + DELIVERIES), count(WARM_UP));
  const expected = await Promise.all(receivers.map(expect));
  await start();
  await Promise.race(expected.map(({ first }) => first));
  const before = cpuTimeOf(worker.pid);
  const times = await Promise.all(expected.map(({ first, all }) => Promise.all([first, all])));
  const cpu = (cpuTimeOf(worker.pid) - before) / DELIVERIES;
  const begin = Math.min(...times.map(([first]) => first));
  const end = Math.max(...times.map(([, all]) => all));
  return { rate: DELIVERIES / ((end - begin) / 1000), cpu };
}

async function untilWritten(pool) {
  for (;;) {
    const { rows } = await pool.query("SELECT count(*)::int FROM automation_executions WHERE state = 'PENDING'");
    if (rows[0].count === 0) return;
  }
}
