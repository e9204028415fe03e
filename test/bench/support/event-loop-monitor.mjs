// Loaded into the API's process by `--import`: answers how late its event loop was since it was last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

process.on('message', (request) => {
  if (request !== 'event-loop-delay') return;
  process.send({ type: 'event-loop-delay', max: late(delay.max), p99: late(delay.percentile(99)) });
  delay.reset();
});
