import { ProcessLines } from './process-lines.mjs';

const SMALL = [
  { name: 'training 64 x 64 tokens', kind: 'training', batch: 64, length: 64, steps: 12 },
  { name: 'sampling, 64 streams', kind: 'sampling', streams: 64, tokens: 64 },
];
export const REAL = [
  { name: 'training 8 x 256 tokens', kind: 'training', batch: 8, length: 256, steps: 1 },
  { name: 'sampling, 1 stream', kind: 'sampling', streams: 1, tokens: 64 },
  { name: 'sampling, 16 streams', kind: 'sampling', streams: 16, tokens: 32 },
  { name: 'sampling, 64 streams', kind: 'sampling', streams: 64, tokens: 24 },
  { name: 'a prompt of 2,000 tokens', kind: 'prefill', length: 2000 },
];
const ROUNDS = Number(process.env.ROUNDS ?? 5);

// What `npm start` gives the worker, in which the engine runs.
const NODE_OPTIONS = ['--max-semi-space-size=2'];
const HERE = new URL('../../../', import.meta.url).pathname;
/** With the setting of each that says where it is. */
const SETTINGS = { PyTorch: 'PYTHON', vLLM: 'VLLM', OLD: 'OLD' };
export const OTHERS = Object.keys(SETTINGS).filter((name) => process.env[SETTINGS[name]]);

/**
 * Rows of a table: medians of rounds in which all take turns, the ratio to each of the others, and the ratio of work done in
 * a second of CPU time, which says more where the machine does other things as well.
 */
export async function measureTokens(name, directory, adapters, threads, real) {
  const script = (file) => new URL(file, import.meta.url).pathname;
  const heddle = (root, to) =>
    new ProcessLines(process.execPath, [
      ...NODE_OPTIONS,
      script('./measure-model.mjs'),
      root,
      directory,
      to,
      String(threads),
    ]);
  const start = {
    PyTorch: () => new ProcessLines(process.env.PYTHON, [script('./torch_baseline.py'), directory, String(threads)]),
    vLLM: () => new ProcessLines(process.env.VLLM, [script('./vllm_baseline.py'), directory, String(threads)]),
    OLD: () => heddle(process.env.OLD, `${adapters}-old`),
  };
  const all = [heddle(HERE, adapters), ...OTHERS.map((other) => start[other]())];
  const rows = [];
  try {
    for (const { name: what, ...work } of real ? REAL : SMALL)
      rows.push([`${name}, ${what}`, ...(await turns(all, work))]);
    const memory = real ? ['memory'] : ['memory', 'memoryWithAll'];
    for (const kind of memory) {
      const what = kind === 'memory' ? 'peak memory in MiB' : 'the same with 16 adapters served at once';
      rows.push([`${name}, ${what}`, ...(await memories(all, { kind, tokens: 64 }))]);
    }
  } finally {
    await Promise.all(all.map((one) => one.close()));
  }
  return rows;
}

/** Only Heddle is asked: what the others take depends on little but themselves. */
async function memories(all, work) {
  const found = [];
  for (const [index, one] of all.entries()) {
    found.push(index === 0 || OTHERS[index - 1] === 'OLD' ? (await one.ask(work)).value : null);
  }
  const [ours, ...others] = found;
  return [
    figure(ours),
    ...others.flatMap((other) => (other ? [figure(other), (ours / other).toFixed(2), ''] : ['', '', ''])),
  ];
}

async function turns(all, work) {
  const measured = all.map(() => ({ speeds: [], seconds: [] }));
  // The first is for nothing: weights are loaded, code is compiled.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, one] of all.entries()) {
      const { value, cpu } = await one.ask(work);
      if (round === 0) continue;
      measured[index].speeds.push(value);
      measured[index].seconds.push(cpu);
    }
  }
  const [ours, ...others] = measured.map(({ speeds, seconds }) => ({ speed: median(speeds), cpu: median(seconds) }));
  return [
    figure(ours.speed),
    ...others.flatMap(({ speed, cpu }) =>
      // vLLM doesn't train.
      speed === null ? ['', '', ''] : [figure(speed), (ours.speed / speed).toFixed(2), (cpu / ours.cpu).toFixed(2)],
    ),
  ];
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const figure = (value) => value.toFixed(value < 100 ? 1 : 0);
