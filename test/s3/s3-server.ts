import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.mjs';

const KEY = 'heddle-access-key';
const SECRET = 'heddle-secret-key-of-forty-characters-ok';

/** A server of S3's protocol on loopback, with one bucket. */
export abstract class S3Server {
  private child: ChildProcess | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'heddle-s3-'));
  port = 0;

  /** Settings that lead to its bucket. */
  get settings() {
    return {
      S3_BUCKET: 'heddle',
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: SECRET,
    };
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const [command, ...args] = this.command();
    this.child = spawn(command, args, { stdio: 'ignore', cwd: this.folder });
    const failed = new Promise<never>((_, reject) => this.child!.once('error', reject));
    const answers = () => fetch(this.settings.S3_ENDPOINT).then(Boolean, () => false);
    await Promise.race([failed, eventually(answers, Boolean, 60_000)]);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await gone;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  protected abstract command(): [string, ...string[]];

  protected get credentials(): string {
    return `${KEY},${SECRET}`;
  }
}

/** Its buckets are folders of this disk. It keeps to the protocol where clients of AWS do without its newest parts. */
export class RcloneServer extends S3Server {
  constructor() {
    super();
    mkdirSync(join(this.folder, 'served/heddle'), { recursive: true });
  }

  /** Keys of all objects, sorted. */
  keys(): string[] {
    const bucket = join(this.folder, 'served/heddle');
    return readdirSync(bucket, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(bucket.length + 1))
      .sort();
  }

  /** Objects that come by no request. */
  fill(keys: readonly string[]): void {
    for (const key of keys) {
      const path = join(this.folder, 'served/heddle', key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'x');
    }
  }

  protected command(): [string, ...string[]] {
    const settings = ['--config', '/dev/null', '--cache-dir', join(this.folder, 'cache')];
    const access = ['--auth-key', this.credentials, '--addr', `127.0.0.1:${this.port}`];
    return [toolOf('S3_RCLONE'), 'serve', 's3', ...settings, ...access, join(this.folder, 'served')];
  }
}

/** It knows signed addresses and the newer checksums, and keeps everything in memory. */
export class MotoServer extends S3Server {
  protected command(): [string, ...string[]] {
    return [toolOf('S3_MOTO'), '-H', '127.0.0.1', '-p', String(this.port)];
  }
}

function toolOf(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} must name the program of a server of S3's protocol`);
  return path;
}
