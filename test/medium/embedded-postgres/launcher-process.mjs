// A process of its own that starts the embedded database, tells what it got, and stops it when it is told to.
// Arguments: the library's compiled entry, and the options as JSON.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [entry, options] = process.argv.slice(2);
const { startEmbeddedPostgres } = await import(pathToFileURL(entry).href);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const server = await startEmbeddedPostgres({ ...JSON.parse(options), log: (progress) => tell({ progress }) });
  const { url, adminUrl, port, pid, owner } = server;
  tell({ server: { url, adminUrl, port, pid, owner } });
  void server.exited.then((exit) => tell({ exit }));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') await server.stop();
  }
  process.exit(0);
} catch (error) {
  tell({ error: { name: error.name, code: error.code, message: error.message } });
  process.exit(1);
}
