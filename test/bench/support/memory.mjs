// Memory of processes from /proc: what is a process's own (RssAnon), since shared buffers are counted in every backend.
import { readdirSync, readFileSync } from 'node:fs';

/** Mebibytes of the process and all below it; undefined where there is no /proc. */
export function memoryOf(...roots) {
  const parents = new Map();
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = read(`/proc/${pid}/stat`);
      if (stat) parents.set(Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    }
  } catch {
    return undefined;
  }
  const isBelow = (pid) => roots.includes(pid) || (parents.has(pid) && isBelow(parents.get(pid)));
  const kibibytes = [...parents.keys()].filter(isBelow).map((pid) => {
    return Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0);
  });
  return kibibytes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** Samples the memory while the work runs. */
export async function peakMemory(roots, work) {
  const before = memoryOf(...roots);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(...roots))), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { before, peak, added: peak - before };
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // The process has ended meanwhile.
  }
}
