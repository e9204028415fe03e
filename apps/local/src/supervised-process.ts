import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A child sends this over IPC once it serves. */
export interface ReadyMessage {
  type: 'ready';
  /** Where it listens. */
  url: string;
  /** The first administrator's key, only when it was made just now. */
  adminKey?: string;
}

const RESTART_DELAY_MS = 500;
/** A child that fails this often in a row won't get better by itself. */
const MAX_RESTARTS_IN_A_ROW = 5;
/** After so long a life a child's failures are counted anew. */
const STABLE_AFTER_MS = 60_000;

export interface ProcessOptions {
  name: string;
  script: string;
  environment: NodeJS.ProcessEnv;
  /** Options of Node.js itself. */
  nodeOptions?: string[];
  logFile: string;
  say(line: string): void;
  /** The process can't be kept alive. */
  onGivenUp(): void;
}

/** Runs a child, starts it again when it dies, and ends it on request. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private stopping = false;
  private restarts = 0;

  constructor(private readonly options: ProcessOptions) {}

  /** Resolves when the child serves for the first time; rejects if it ends before. */
  start(): Promise<ReadyMessage> {
    return new Promise((resolve, reject) => this.launch(resolve, reject));
  }

  /** Lets the child finish what it is at. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  }

  /** @param onFailed of the first start; whoever served once and ends while it starts again is one that failed again */
  private launch(onReady: (message: ReadyMessage) => void, onFailed?: (error: Error) => void): void {
    const { name, script, environment, nodeOptions = [], logFile, say, onGivenUp } = this.options;
    const log = openSync(logFile, 'a', 0o600);
    const started = Date.now();
    let ready = false;
    // In its own process group: Ctrl-C reaches only the parent, which decides the order in which things end. A parent
    // that is killed closes the IPC channel, and the child ends by itself. Errors at start go to the console.
    const stdio = ['ignore', log, 'inherit', 'ipc'] as const;
    const child = fork(script, { env: environment, execArgv: nodeOptions, detached: true, stdio: [...stdio] });
    closeSync(log);
    this.child = child;
    child.on('message', (message: ReadyMessage) => {
      ready = true;
      onReady(message);
    });
    child.once('exit', (code, signal) => {
      if (this.stopping) return;
      if (!ready && onFailed) return onFailed(new Error(`${name} ended at start`));
      this.restarts = Date.now() - started > STABLE_AFTER_MS ? 1 : this.restarts + 1;
      if (this.restarts > MAX_RESTARTS_IN_A_ROW) {
        say(`${name} keeps failing; see ${logFile}`);
        return onGivenUp();
      }
      say(`${name} ended (${signal ?? `exit code ${code}`}); starting it again`);
      const again = (): void => (this.stopping ? undefined : this.launch(() => say(`${name} is back`)));
      setTimeout(again, RESTART_DELAY_MS);
    });
  }
}
