// Sustained deliveries to receivers that take 5 ms, against a bare BullMQ processor that does the same POST on the same
// backend with the same number of requests in flight.
import { printTable } from '../support/table.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook, PAYLOAD } from './fill.mjs';
import { startBareWorker, startReceiver, startWorker } from './processes.mjs';

const RECEIVER_MS = 5;
const DELIVERIES = 6000;
const ROUNDS = 3;
const IN_FLIGHT = 10;

export async function benchThroughput({ pool, settings, backend }) {
  const rows = [];
  for (const webhooks of [1, 8]) rows.push(...(await compare(pool, settings, webhooks)));
  printTable(
    `Deliveries on ${backend}: ${RECEIVER_MS} ms receivers, ${IN_FLIGHT} in flight to each, median of ${ROUNDS} rounds of ${DELIVERIES}`,
    ['', 'deliveries/s', 'lowest', 'highest', 'ratio'],
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
  const row = (name, rates) => [
    name,
    median(rates),
    Math.min(...rates),
    Math.max(...rates),
    median(rates) / median(bare),
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
  await bare.add(DELIVERIES);
  const rate = await measure(receivers, async () => bare.work());
  await bare.stop();
  return rate;
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
  const rate = await measure(receivers, async () => {
    const each = DELIVERIES / receivers.length;
    for (const { automationId, webhookId } of targets)
      await givenExecutions(pool, project, automationId, webhookId, each);
  });
  await untilWritten(pool);
  await worker.stop();
  return rate;
}

/** From the first request to the last: filling in and finding the work don't count. */
async function measure(receivers, start) {
  const each = DELIVERIES / receivers.length;
  const expected = await Promise.all(receivers.map((receiver) => receiver.expect(each)));
  await start();
  const times = await Promise.all(expected.map(({ first, all }) => Promise.all([first, all])));
  const begin = Math.min(...times.map(([first]) => first));
  const end = Math.max(...times.map(([, all]) => all));
  return (DELIVERIES - receivers.length) / ((end - begin) / 1000);
}

async function untilWritten(pool) {
  for (;;) {
    const { rows } = await pool.query("SELECT count(*)::int FROM automation_executions WHERE state = 'PENDING'");
    if (rows[0].count === 0) return;
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
