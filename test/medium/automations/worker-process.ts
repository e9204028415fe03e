import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

/** The product's worker, built, as a process of its own: for what only a process can suffer. */
export class WorkerProcess {
  /** Lines that it logged. */
  logged = 0;

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.on('data', (chunk: Buffer) => (this.logged += chunk.toString().split('\n').length - 1));
  }

  /** Resolves when it works. */
  static async start(settings: Record<string, string>): Promise<WorkerProcess> {
    const env = { PATH: process.env['PATH'], WORKER_PORT: '0', LOG_LEVEL: 'silent', ...settings };
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc'];
    const child = fork('dist/apps/worker/src/main.js', { env, execArgv: [], stdio });
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
      { type?: string } | number,
    ];
    if (typeof message !== 'object' || message?.type !== 'ready') throw new Error('the worker ended at start');
    return new WorkerProcess(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.isAlive) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}
