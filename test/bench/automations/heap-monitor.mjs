// Loaded into the worker's process by `--import`, beside `--expose-gc`: collects all garbage when asked, and answers what
// is left, in bytes.
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

process.on('message', async (request) => {
  if (request !== 'heap') return;
  // What finalizers and closing sockets let go of is garbage only after a turn of the event loop.
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await pause(50);
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.send({ type: 'heap', heapUsed, external, arrayBuffers });
});
