// A large file as an artifact, up and down, beside a copy of it on the same disk, and, with MLFLOW, beside MLflow's client.
import { randomFillSync } from 'node:crypto';
import { copyFile, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { peakMemory } from '../support/memory.mjs';
import { printTable } from '../support/table.mjs';
import { runProgram } from './program.mjs';

const MIB = 1024 * 1024;

export async function benchArtifact(server, { python, mlflow, folder, mebibytes, rounds = 2 }) {
  const file = join(folder, 'large.bin');
  const contenders = [
    { name: 'a copy on the disk', measure: () => copied(file) },
    { name: 'the SDK and Heddle', measure: () => transferred(server, python, folder, file, 'wandb', 'bench') },
    ...(mlflow
      ? [{ name: 'MLflow', measure: () => transferred(server, mlflow.python, folder, file, 'mlflow', mlflow.url) }]
      : []),
  ];
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    // Other content each time, or the second would be there already.
    await fill(file, mebibytes);
    for (const { name, measure } of contenders) {
      let took;
      const memory = await peakMemory([server.api.pid], async () => (took = await measure()));
      rows.push({ name, ...took, added: memory.added });
    }
  }
  await rm(file);
  const best = contenders.map(({ name }) => {
    const own = rows.filter((row) => row.name === name);
    const least = (key) => Math.min(...own.map((row) => row[key]));
    return { name, up: least('up'), down: least('down'), added: Math.max(...own.map(({ added }) => added)) };
  });
  printTable(
    `A file of ${mebibytes} MiB, best of ${rounds}`,
    ['', 'up MiB/s', 'ratio', 'down MiB/s', 'ratio', 'the API added MiB'],
    best.map(({ name, up, down, added }) => [
      name,
      mebibytes / up,
      up / best[0].up,
      mebibytes / down,
      down / best[0].down,
      added,
    ]),
  );
}

async function fill(path, mebibytes) {
  const file = await open(path, 'w');
  const chunk = Buffer.alloc(8 * MIB);
  for (let left = mebibytes * MIB; left > 0; left -= chunk.length) {
    await file.appendFile(randomFillSync(chunk).subarray(0, left));
  }
  await file.close();
}

/** Durably, as an artifact is kept. */
async function copied(path) {
  const started = performance.now();
  await copyFile(path, `${path}.copy`);
  const copy = await open(`${path}.copy`, 'r+');
  await copy.sync();
  await copy.close();
  await rm(`${path}.copy`);
  const seconds = (performance.now() - started) / 1000;
  return { up: seconds, down: seconds };
}

async function transferred(server, python, folder, file, ...how) {
  const down = join(folder, 'down');
  await mkdir(down, { recursive: true });
  try {
    return await runProgram(server, python, folder, 'artifact.py', ...how, file, down);
  } finally {
    await rm(down, { recursive: true, force: true });
  }
}
