import { HubFailure, InvalidBaseModelsFileError, ModelShelf, ModelShelfError } from '@heddle/base-models';
import { InvalidEnvError, loadEnv } from '@heddle/config';
import { ModelsCommand, UsageError } from './models/models-command.js';
import { ProgressBar, ProgressLines } from './models/progress-view.js';

const EXPECTED = [HubFailure, InvalidBaseModelsFileError, InvalidEnvError, ModelShelfError, UsageError];
const INTERRUPTED = 130;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());

/** `npm run models -- list|pull ID|remove ID`. What goes wrong is said in plain words, and the exit code is 1. */
try {
  const progress = process.stdout.isTTY ? new ProgressBar() : new ProgressLines(say);
  await new ModelsCommand(new ModelShelf(loadEnv()), say, progress).run(process.argv.slice(2), interrupted.signal);
  process.exit(0);
} catch (error) {
  if (interrupted.signal.aborted) {
    process.stderr.write('heddle: stopped; the next pull goes on from here\n');
    process.exit(INTERRUPTED);
  }
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(
    `heddle: ${isExpected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exit(1);
}
