// Usage: npm run bench [NAME ...]   Each folder here with a main.mjs is a bench; without names all of them run, one after
// another. A bench measures ratios against a baseline of the same run: absolute figures are the machine's.
import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

const here = new URL('./', import.meta.url);
const known = readdirSync(here).filter((name) => existsSync(new URL(`${name}/main.mjs`, here)));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No bench '${unknown.join("', '")}'; there are: ${known.join(', ')}`);
  process.exit(1);
}

console.log(`Node.js ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const name of wanted) {
  const { default: bench } = await import(new URL(`${name}/main.mjs`, here).href);
  await bench();
}
