import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';

/** What `npm start` runs, as a process of its own, on free ports and a data directory that the test owns. */
export class Product {
  private child: ChildProcess | undefined;
  private output = '';

  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly workerPort: number,
    private readonly command: readonly [string, ...string[]],
  ) {}

  /**
   * @param command what starts it: what `npm start` runs, or `npm start` itself
   * @param folder where its data directory is made
   */
  static async create(
    command: [string, ...string[]] = [process.execPath, 'apps/local/bootstrap.mjs', 'start'],
    folder = tmpdir(),
  ): Promise<Product> {
    const dataDir = mkdtempSync(join(folder, 'heddle-product-'));
    return new Product(dataDir, await freePort(), await freePort(), command);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** All that it printed since the last start, standard error too. */
  get console(): string {
    return this.output;
  }

  /** Resolves when it says that it is ready; rejects with what it printed when it ends before. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    void this.launch(settings);
    await this.printed(/Heddle is ready[\s\S]*Ctrl-C/);
  }

  private get ended(): boolean {
    return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Starts it and waits for its end: for what refuses to start. */
  run(settings: Record<string, string> = {}): Promise<number | null> {
    return this.launch(settings);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || this.ended) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  }

  /** Kills one of its processes, with no warning. @returns false where it doesn't run at this moment */
  kill9(name: 'api' | 'worker'): boolean {
    const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(this.pid)], { encoding: 'utf8' });
    const found = new RegExp(`^\\s*(\\d+).*apps/${name}/src/main\\.js`, 'm').exec(children);
    return found !== null && process.kill(Number(found[1]), 'SIGKILL');
  }

  /** Ends it and everything that a killed parent may have left, and removes its data. */
  async remove(): Promise<void> {
    // A start adopts an orphaned database, so that a stop ends it too.
    if (this.child?.signalCode === 'SIGKILL') await this.start().catch(() => undefined);
    await this.kill('SIGTERM');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.ended) throw new Error(`it ended without printing ${pattern}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private launch(settings: Record<string, string>): Promise<number | null> {
    this.output = '';
    const [program, ...parameters] = this.command;
    const child = spawn(program, parameters, {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: String(this.port),
        WORKER_PORT: String(this.workerPort),
        DATA_DIR: this.dataDir,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }
}
