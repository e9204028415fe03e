// Runs as a process of its own: an endpoint that answers 204 after so many milliseconds (its argument), and says when all
// that it expects has come.
import { createServer } from 'node:http';

const delay = Number(process.argv[2] ?? 0);
let missing = 0;
let first = true;

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    setTimeout(() => response.writeHead(204).end(), delay);
    if (first) process.send({ type: 'first', at: now() });
    first = false;
    if (--missing === 0) process.send({ type: 'all', at: now() });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ type: 'ready', port: server.address().port }));

process.on('message', ({ expect }) => {
  missing = expect;
  first = true;
  process.send({ type: 'expecting' });
});
process.on('disconnect', () => process.exit());
