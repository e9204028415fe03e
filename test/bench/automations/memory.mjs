// The worker's memory over many deliveries, to endpoints that answer, that never stop answering, and that drip. Growth
// counts from the end of the first quarter: until then V8 compiles what is hot and sizes its heap.
import { memoryOf } from '../support/memory.mjs';
import { printTable } from '../support/table.mjs';
import { givenAutomations, givenExecutions, givenProject, givenWebhook } from './fill.mjs';
import { startReceiver, startWorker } from './processes.mjs';

const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 100_000);
const BATCHES_PER_QUARTER = 5;
const BATCH = DELIVERIES / 4 / BATCHES_PER_QUARTER;
const DRIPPING = 20;
const SAMPLE_MS = 100;
const MIB = 2 ** 20;
/** The last column's index among the figures. */
const LOWEST = 3;

export async function benchMemory({ pool, settings, backend }) {
  const answering = await Promise.all([startReceiver(0), startReceiver(0), startReceiver(0)]);
  const [endless, dripping] = await Promise.all([startReceiver('endless'), startReceiver('drip')]);
  const project = await givenProject(pool, 'admin', `bench-memory-${Date.now()}`);
  const target = async ({ port }) => {
    const webhookId = await givenWebhook(pool, project.teamId, port);
    const [automationId] = await givenAutomations(pool, project, webhookId, ['production']);
    return { webhookId, add: (count) => givenExecutions(pool, project, automationId, webhookId, count) };
  };
  const targets = await Promise.all([...answering, endless].map(target));
  const drips = await Promise.all(Array.from({ length: DRIPPING }, () => target(dripping)));
  for (const { add } of drips) await add(1);

  const worker = await startWorker({ ...settings, WEBHOOK_SWEEP_SECONDS: '1' }, { watchHeap: true });
  const rows = [await heapRow('at the start', worker)];
  for (const share of ['25 %', '50 %', '75 %', '100 %']) {
    const samples = [];
    const timer = setInterval(() => samples.push(memoryOf(worker.pid)), SAMPLE_MS);
    for (let batch = 0; batch < BATCHES_PER_QUARTER; batch++) {
      await keepDripping(pool, drips);
      for (const { add } of targets) await add(BATCH / targets.length);
      await untilDelivered(pool, targets);
    }
    clearInterval(timer);
    rows.push(await heapRow(`after ${share}`, worker, samples));
  }
  await worker.stop();
  for (const receiver of [...answering, endless, dripping]) receiver.stop();

  const [, afterFirst, afterSecond, , atEnd] = rows;
  const growth = atEnd.slice(1).map((value, column) => {
    // The first quarter's lowest is that of the start.
    const [, ...base] = column === LOWEST ? afterSecond : afterFirst;
    return `${((value / base[column] - 1) * 100).toFixed(1)} %`;
  });
  printTable(
    `The worker's memory on ${backend} over ${DELIVERIES} deliveries, a quarter of them to an endless body, beside ` +
      `${DRIPPING} endpoints that drip, MiB`,
    ['', 'live heap', 'buffers', 'RssAnon after GC', 'lowest RssAnon of the quarter'],
    [...rows, ['growth after 25 %', ...growth]],
  );
}

/** What lives after a collection, and the lowest memory of the process meanwhile: garbage makes saw teeth. */
async function heapRow(name, worker, samples = [memoryOf(worker.pid)]) {
  const lowest = Math.min(...samples);
  const { heapUsed, arrayBuffers } = await worker.heap();
  return [name, heapUsed / MIB, arrayBuffers / MIB, memoryOf(worker.pid), lowest];
}

/** An attempt holds its slot for 15 s, and failed ones would rest for minutes. */
async function keepDripping(pool, drips) {
  const ids = drips.map(({ webhookId }) => webhookId);
  await pool.query('UPDATE webhooks SET paused_until = NULL WHERE id = ANY ($1)', [ids]);
  await pool.query(
    `UPDATE automation_executions SET next_attempt_at = now(), round_attempts = 0
      WHERE webhook_id = ANY ($1) AND state = 'PENDING'`,
    [ids],
  );
}

async function untilDelivered(pool, targets) {
  const ids = targets.map(({ webhookId }) => webhookId);
  const sql = `SELECT FROM automation_executions WHERE webhook_id = ANY ($1) AND state = 'PENDING' LIMIT 1`;
  while ((await pool.query(sql, [ids])).rowCount > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}
