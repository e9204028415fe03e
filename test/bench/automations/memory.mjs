// The worker's memory over many deliveries, to endpoints that answer, that never stop answering, and that drip.
import { memoryOf } from '../support/memory.mjs';
import { printTable } from '../support/table.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook } from './fill.mjs';
import { startReceiver, startWorker } from './processes.mjs';

const DELIVERIES = 100_000;
const BATCH = 5000;
/** Each holds a slot for the whole 15 s of an attempt. */
const DRIPPING = 20;
const SAMPLE_MS = 100;

export async function benchMemory({ pool, settings, backend }) {
  const answering = await Promise.all([startReceiver(0), startReceiver(0), startReceiver(0)]);
  const [endless, dripping] = await Promise.all([startReceiver('endless'), startReceiver('drip')]);
  const project = await givenProject(pool, 'admin', `bench-memory-${Date.now()}`);
  const worker = await startWorker({ ...settings, WEBHOOK_SWEEP_SECONDS: '1' });
  const target = async ({ port }) => {
    const webhookId = await givenWebhook(pool, project.teamId, port);
    const [automationId] = await givenAutomations(pool, project, webhookId, ['production']);
    return (count) => givenExecutions(pool, project, automationId, webhookId, count);
  };
  const fill = await Promise.all([...answering, endless].map(target));
  await (
    await target(dripping)
  )(DRIPPING);

  const samples = [];
  const timer = setInterval(() => samples.push(memoryOf(worker.pid)), SAMPLE_MS);
  const marks = [];
  for (let sent = 0; sent < DELIVERIES; sent += BATCH) {
    for (const add of fill) await add(BATCH / fill.length);
    await untilPending(pool, DRIPPING);
    marks.push(samples.length);
  }
  clearInterval(timer);
  await worker.stop();
  for (const receiver of [...answering, endless, dripping]) receiver.stop();

  // Garbage makes saw teeth: what stays shows in the lowest values.
  const lowest = (from, to) => Math.min(...samples.slice(marks[from], marks[to]));
  const early = lowest(1, 5);
  const late = lowest(marks.length - 5, marks.length - 1);
  printTable(
    `The worker's memory on ${backend} over ${DELIVERIES} deliveries, a quarter of them to an endless body, MiB`,
    ['deliveries', 'lowest', 'against early'],
    [
      [`${2 * BATCH} to ${6 * BATCH}`, early, 1],
      [`the last ${4 * BATCH}`, late, late / early],
    ],
  );
}

async function untilPending(pool, most) {
  for (;;) {
    const { rows } = await pool.query("SELECT count(*)::int FROM automation_executions WHERE state = 'PENDING'");
    if (rows[0].count <= most) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
