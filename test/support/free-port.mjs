import { once } from 'node:events';
import { createServer } from 'node:net';

// Below what systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere): a port of that range that
// is free now may be the near end of somebody's connection by the time it is listened on, or between two starts.
const FIRST = 12_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that nothing listens on and that no outgoing connection takes. @returns {Promise<number>} */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
