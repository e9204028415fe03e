// Usage: npm run bench start
// What a user of `npm start` waits for, and what everything that it runs takes in memory when nothing happens.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.mjs';
import { printTable } from '../support/table.mjs';

const root = new URL('../../../', import.meta.url).pathname;
const REST_MS = 15_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default async function benchStart() {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), WORKER_PORT: String(await freePort()) };
  try {
    const first = await start(environment);
    await first.stop();
    const second = await start(environment);
    await pause(REST_MS);
    const memory = proportionalMemory(second.pid);
    await second.stop();
    printTable(
      'npm start (installed and built), seconds to ready',
      ['', 's'],
      [
        ['first start, empty data directory', first.seconds],
        ['second start', second.seconds],
      ],
    );
    const rows = memory.map(({ name, mebibytes }) => [name, mebibytes]);
    const total = memory.reduce((sum, { mebibytes }) => sum + mebibytes, 0);
    printTable(
      `Memory at rest after ${REST_MS / 1000} s, MiB (proportional set size)`,
      ['process', 'MiB'],
      [...rows, ['total', total]],
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(environment) {
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Heddle is ready')) resolve();
    });
    child.once('exit', () => reject(new Error(output)));
  });
  return {
    pid: child.pid,
    seconds: (performance.now() - started) / 1000,
    stop: async () => {
      child.kill('SIGTERM');
      // npm ends at once; what it started ends in order.
      while (await fetch(`http://127.0.0.1:${environment.PORT}/health/live`).catch(() => undefined)) await pause(50);
      await pause(1000);
    },
  };
}

/** Shared pages are split among those who share them, so that PostgreSQL's buffers count once. */
function proportionalMemory(pid) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]) }));
  const below = (root) => [
    root,
    ...processes.filter(({ parent }) => parent === root).flatMap((child) => below(child.pid)),
  ];
  const groups = new Map();
  for (const each of below(pid)) {
    const name = nameOf(read(`/proc/${each}/cmdline`).replaceAll('\0', ' '));
    const kibibytes = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0);
    groups.set(name, (groups.get(name) ?? 0) + kibibytes / 1024);
  }
  return [...groups].map(([name, mebibytes]) => ({ name, mebibytes }));
}

function nameOf(command) {
  const app = /apps\/(api|worker)\/src\/main/.exec(command)?.[1];
  if (app) return app;
  if (command.includes('bootstrap.mjs')) return 'launcher';
  return /postgres/.test(command) ? 'PostgreSQL' : 'npm';
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
