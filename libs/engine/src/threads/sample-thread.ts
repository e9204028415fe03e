import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Compute } from '../model/compute.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { GrammarCompiler } from '../grammar/output-grammar.js';
import { PieceWorker } from '../scheduling/piece-worker.js';
import { SampleScheduler } from '../scheduling/sample-scheduler.js';
import type { PromptOffer } from '../scheduling/divided-prompt.js';
import type { SampleCommand, SampleMessage, SampleOutcome, SampleSpec, SampleThreadData } from './sample-task.js';

// A thread that samples; see SampleThreads.
const data = workerData as SampleThreadData;
const compute = new Compute(data.model, data.scratch);
const scheduler = new SampleScheduler(compute, data.arena, data.caches, data.endTokenIds, {
  threads: data.threads,
  ask: (help) => post({ help }),
});
const helper = new PieceWorker(compute, data.arena, data.thread);
let grammars: Promise<GrammarCompiler> | null = null;
const stoppedEarly = new Set<number>();
const compiling = new Set<number>();
let running = false;
let helping = false;

parentPort!.on('message', (commands: SampleCommand[]) => {
  for (const command of commands) {
    if (command.type === 'start') void start(command.spec);
    else if (command.type === 'help') void help(command.offer);
    else if (compiling.has(command.id)) stoppedEarly.add(command.id);
    else scheduler.stop(command.id);
  }
  void run();
});

async function start(spec: SampleSpec): Promise<void> {
  const { id, options, tools, toolCalls } = spec;
  if (!options.format) return scheduler.add(spec, null);
  compiling.add(id);
  try {
    const compiler = await (grammars ??= loadGrammars());
    const grammar = await compiler.compile(options.format, tools, toolCalls);
    if (stoppedEarly.delete(id)) send([{ type: 'done', id }]);
    else scheduler.add(spec, grammar.start());
  } catch (error) {
    const { code, message, param } =
      error instanceof EngineError ? error : new EngineError('invalid_request', String(error), 'response_format');
    stoppedEarly.delete(id);
    send([{ type: 'failed', id, code, message, param }]);
  } finally {
    compiling.delete(id);
  }
  void run();
}

/** Loaded when the first format is asked for: what compiles grammars takes some 10 MB in each thread. */
async function loadGrammars(): Promise<GrammarCompiler> {
  const { GrammarCompiler: compilers } = await import('../grammar/output-grammar.js');
  return compilers.create(data.vocabulary, data.endTokenIds);
}

/** Steps while there is something to do; commands come in between two steps. */
async function run(): Promise<void> {
  if (running) return;
  running = true;
  while (!scheduler.idle) {
    send(scheduler.step());
    await setImmediate();
  }
  send(scheduler.step());
  running = false;
}

/** Computes pieces of another thread's prompt as long as this one has nothing of its own to do. */
async function help(offer: PromptOffer): Promise<void> {
  if (helping) return;
  helping = true;
  while (scheduler.idle && helper.help(offer)) await setImmediate();
  helping = false;
}

function send(outcomes: SampleOutcome[]): void {
  if (outcomes.length > 0) post(outcomes);
}

function post(message: SampleMessage): void {
  parentPort!.postMessage(message);
}
