import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

/** The product's API or worker, built, as a process of its own: for what only a process can suffer. */
export class ServiceProcess {
  /** Lines that it logged. */
  logged = 0;

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.on('data', (chunk: Buffer) => (this.logged += chunk.toString().split('\n').length - 1));
  }

  /** Resolves when it works. */
  static async start(name: 'api' | 'worker', settings: Record<string, string>): Promise<ServiceProcess> {
    const env = { PATH: process.env['PATH'], PORT: '0', WORKER_PORT: '0', LOG_LEVEL: 'silent', ...settings };
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];
    const child = fork(`dist/apps/${name}/src/main.js`, { env, execArgv: [], stdio });
    let said = '';
    const listen = (chunk: Buffer): void => void (said += chunk.toString());
    child.stderr!.on('data', listen);
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
      { type?: string } | number,
    ];
    if (typeof message !== 'object' || message?.type !== 'ready')
      throw new Error(`the ${name} ended at start: ${said}`);
    child.stderr!.off('data', listen).pipe(process.stderr);
    return new ServiceProcess(child);
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
