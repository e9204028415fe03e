// An engine in a process of its own, for its memory: it samples from one base model after the other, of which one fits at a
// time. Prints `{idle, resident, bytes}`: what was resident before any was loaded, and with each; and what the weights take.
// Arguments: directories.
import { EmbeddedEngine } from '../../../dist/libs/engine/src/index.js';

const directories = process.argv.slice(2);
const MIB = 1024 ** 2;
const engine = await EmbeddedEngine.create({
  models: directories.map((directory) => ({ id: directory, directory })),
  threads: 1,
  cacheBytes: 8 * MIB,
  adapters: 1,
  memoryBytes: 120 * MIB,
});
const [{ memoryBytes: bytes }] = engine.baseModels();
const idle = process.memoryUsage.rss();
const resident = [];
for (const base of directories) {
  const request = { base, adapter: null, prompt: { tokenIds: [65] }, options: { maxTokens: 2 } };
  for await (const event of engine.generate(request)) void event;
  resident.push(process.memoryUsage.rss());
}
process.stdout.write(JSON.stringify({ idle, resident, bytes }));
await engine.close();
