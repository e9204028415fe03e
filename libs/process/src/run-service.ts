import { type INestApplication, Logger } from '@nestjs/common';
import { type Env, loadEnv } from '@heddle/config';
import { endGracefully } from './graceful-end.js';

/** A service that serves. Everything but `app` is sent to the parent as a message of type `ready`. */
export interface RunningService {
  app: INestApplication;
  /** Where it listens. */
  url: string;
  /** The first administrator's key, only when it was made just now. */
  adminKey?: string;
}

/**
 * The life of a process from its settings to its end. A start that fails is one line on standard error and exit code 1.
 * SIGTERM, SIGINT and the loss of a parent that had opened an IPC channel end it: running requests and jobs get
 * SHUTDOWN_TIMEOUT_SECONDS.
 */
export async function runService(name: string, start: (env: Env) => Promise<RunningService>): Promise<void> {
  try {
    const env = loadEnv();
    // Before the start, which may take long: a parent that dies meanwhile must not leave an orphan.
    const end = endGracefully(env.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    const { app, ...ready } = await start(env);
    end.through(() => app.close());
    new Logger('Process').log({ url: ready.url, pid: process.pid }, `${name} ready`);
    process.send?.({ type: 'ready', ...ready });
  } catch (error) {
    process.stderr.write(`heddle ${name}: ${describeStartFailure(error)}\n`);
    process.exit(1);
  }
}

/** A file of settings with several faults: a line for each. */
const linesOf = (error: Error): readonly unknown[] | null =>
  'lines' in error && Array.isArray(error.lines) ? (error.lines as unknown[]) : null;

/** Misconfiguration (named errors and the system's, all with a code) is one clear line; a fault of ours shows where. */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = linesOf(error);
  if (lines) return lines.join('\n');
  return 'code' in error ? error.message.replace(/\s*\n\s*/g, ' ') : (error.stack ?? error.message);
}
