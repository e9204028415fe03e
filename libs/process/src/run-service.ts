import { type INestApplication, Logger } from '@nestjs/common';
import { type Env, loadEnv } from '@heddle/config';
import { requireDataFolder } from './data-folder.js';
import { ServingState } from './serving.state.js';
import { endGracefully } from './graceful-end.js';
import { describeStartFailure } from './start-failure.js';

/** A service that serves. Everything but `app` is sent to the parent as a message of type `ready`. */
export interface RunningService {
  app: INestApplication;
  /** Where it listens. */
  url: string;
  /** The first administrator's key, only when it was made just now. */
  adminKey?: string;
}

export interface ServiceOptions {
  /** The setting that names the port. */
  portSetting: 'PORT' | 'WORKER_PORT';
  /** Whether others send it work, who have to notice that it ends: see DRAIN_SECONDS. */
  drains: boolean;
}

/**
 * The life of a process from its settings to its end. A start that fails is one line on standard error and exit code 1.
 * SIGTERM, SIGINT and the loss of a parent that had opened an IPC channel end it: after a SIGTERM it drains for DRAIN_SECONDS,
 * then running requests and jobs get SHUTDOWN_TIMEOUT_SECONDS.
 */
export async function runService(
  name: string,
  { portSetting, drains }: ServiceOptions,
  start: (env: Env) => Promise<RunningService>,
): Promise<void> {
  try {
    const env = loadEnv();
    // Before the start, which may take long: a parent that dies meanwhile must not leave an orphan.
    const drainSeconds = drains ? env.DRAIN_SECONDS : 0;
    const end = endGracefully({ limitMs: env.SHUTDOWN_TIMEOUT_SECONDS * 1000, drainMs: drainSeconds * 1000 });
    requireDataFolder(env.DATA_DIR);
    const { app, ...ready } = await start(env);
    end.through({
      drain: () => app.get(ServingState, { strict: false }).begin(drainSeconds),
      close: () => app.close(),
    });
    new Logger('Process').log({ url: ready.url, pid: process.pid }, `${name} ready`);
    process.send?.({ type: 'ready', ...ready });
  } catch (error) {
    process.stderr.write(`heddle ${name}: ${describeStartFailure(error, portSetting)}\n`);
    process.exit(1);
  }
}
