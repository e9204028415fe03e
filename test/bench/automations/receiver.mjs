// Runs as a process of its own: an endpoint that answers 204 after so many milliseconds (its argument), and says when the
// first one counted and all that it expects has come. Or its argument is `endless` (a body without end, as fast as it is read) or `drip` (one byte at
// a time, for ever).
import { createServer } from 'node:http';

const behaviour = process.argv[2] ?? '0';
const CHUNK = Buffer.alloc(65_536, 'x');
let missing = 0;
let uncounted = 0;

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    answer(response);
    if (uncounted-- === 0) process.send({ type: 'first', at: now() });
    if (--missing === 0) process.send({ type: 'all', at: now() });
  });
});
function answer(response) {
  if (behaviour === 'endless') {
    const write = () => !response.destroyed && response.write(CHUNK, () => setImmediate(write));
    write();
  } else if (behaviour === 'drip') {
    const timer = setInterval(() => response.write('x'), 100);
    response.once('close', () => clearInterval(timer));
  } else setTimeout(() => response.writeHead(204).end(), Number(behaviour));
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ type: 'ready', port: server.address().port }));

process.on('message', ({ expect, skip }) => {
  missing = expect;
  uncounted = skip;
  process.send({ type: 'expecting' });
});
process.on('disconnect', () => process.exit());
