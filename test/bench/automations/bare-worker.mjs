// The baseline: a BullMQ processor, on the product's own backend and settings, that signs a body and sends it, and keeps
// no history. Each request has a connection of its own, as a delivery has.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { Queue, setDefaultBackendFactory, Worker } from 'bullmq';
import { Env } from '../../../dist/libs/config/src/index.js';
import { prepareQueues, QueueConnection } from '../../../dist/libs/queues/src/index.js';
import { createQueueBackend } from '../../../dist/libs/queues/src/queue.connection.js';

const { RECEIVERS, CONCURRENCY, BODY } = process.env;
const env = Env.from(process.env);
await prepareQueues(env);
setDefaultBackendFactory(createQueueBackend);
const options = { connection: new QueueConnection(env).options, prefix: env.QUEUE_PREFIX };
const queue = new Queue('bare', { ...options, defaultJobOptions: { removeOnComplete: true } });
const ports = RECEIVERS.split(',').map(Number);

function post(port) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': createHmac('sha256', 'secret').update(BODY).digest('hex'),
    };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    });
    sent.on('error', reject).end(BODY);
  });
}

const worker = new Worker('bare', (job) => post(ports[job.data.n % ports.length]), {
  ...options,
  concurrency: Number(CONCURRENCY),
  autorun: false,
});
worker.on('error', () => undefined);

process.on('message', async ({ add, work }) => {
  if (work) void worker.run();
  for (let n = 0; n < (add ?? 0); n += 500) {
    await queue.addBulk(
      Array.from({ length: Math.min(500, add - n) }, (_, i) => ({ name: 'post', data: { n: n + i } })),
    );
  }
  if (add) process.send({ type: 'added' });
});
process.once('SIGTERM', () => process.exit());
process.send({ type: 'ready' });
