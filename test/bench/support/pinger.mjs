// How long small requests wait while something else goes on. Runs as a thread, so that the bench's own work delays none.
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { httpClient } from './http-client.mjs';

/** Sends the request again and again until it is stopped. `stop()` gives the longest time that one took, in ms. */
export async function startPinger({ url, authorization }, path, body) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, authorization, path, body } });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return {
    stop: () => {
      const slowest = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      worker.postMessage('stop');
      return slowest;
    },
  };
}

if (!isMainThread && workerData?.path) {
  const { url, authorization, path, body } = workerData;
  const client = httpClient(url, authorization);
  const post = () => client.post(path, Buffer.from(body));
  let stopped = false;
  parentPort.once('message', () => (stopped = true));
  for (let warmUp = 0; warmUp < 20; warmUp++) await post();
  parentPort.postMessage('started');
  let slowest = 0;
  while (!stopped) {
    const sent = performance.now();
    await post();
    slowest = Math.max(slowest, performance.now() - sent);
    await setTimeout(2);
  }
  client.close();
  parentPort.postMessage(slowest);
}
