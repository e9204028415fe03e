import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisServer } from '../redis/redis-server.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { ServiceProcess } from '../support/service-process.js';
import { PgBouncer } from '../support/pgbouncer.mjs';

const OF_EACH = 3;
const PATIENCE_MS = 180_000;

/** Something that may be killed, and is started again at the same address. */
interface Member {
  kill(): Promise<void>;
  resume(): Promise<void>;
}

class Service implements Member {
  private process: ServiceProcess | undefined;

  constructor(
    private readonly name: 'api' | 'worker',
    private readonly settings: Record<string, string>,
  ) {}

  /** Again until it starts, as whatever supervises it does: PgBouncer may be away at this moment. */
  async resume(): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(500)) {
      try {
        this.process = await ServiceProcess.start(this.name, this.settings);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  async kill(): Promise<void> {
    await this.process?.kill('SIGKILL');
  }
}

/** The profile `many` of docker-compose.yml as plain processes: three APIs and three workers, PgBouncer and Redis. */
export class Topology {
  private readonly members: Record<'worker' | 'api' | 'pgbouncer', Member[]>;

  private constructor(
    readonly database: TestDatabase,
    readonly urls: readonly string[],
    private readonly bouncer: PgBouncer,
    private readonly redis: RedisServer,
    private readonly directory: string,
    settings: Record<string, string>,
  ) {
    this.members = {
      worker: Array.from({ length: OF_EACH }, () => new Service('worker', settings)),
      api: urls.map((url) => new Service('api', { ...settings, PORT: new URL(url).port })),
      pgbouncer: [bouncer],
    };
  }

  /** Without its services, which `start` starts. */
  static async create(settings: Record<string, string>): Promise<Topology> {
    const database = await createDatabase();
    const [bouncer, redis] = await Promise.all([PgBouncer.start(database.url), RedisServer.start()]);
    const directory = mkdtempSync(join(tmpdir(), 'heddle-many-'));
    const urls: string[] = [];
    for (let i = 0; i < OF_EACH; i++) urls.push(`http://127.0.0.1:${await freePort()}`);
    return new Topology(database, urls, bouncer, redis, directory, {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: database.url,
      REDIS_URL: redis.url,
      DATA_DIR: directory,
      ...settings,
    });
  }

  async start(): Promise<void> {
    await Promise.all([...this.members.api, ...this.members.worker].map((each) => each.resume()));
  }

  /** Kills one of a kind, whichever, and starts it again after a while. */
  async killOne(kind: 'worker' | 'api' | 'pgbouncer', awayMs: number): Promise<void> {
    const some = this.members[kind];
    const victim = some[Math.floor(Math.random() * some.length)]!;
    await victim.kill();
    await pause(awayMs);
    await victim.resume();
  }

  async remove(): Promise<void> {
    await Promise.all(
      Object.values(this.members)
        .flat()
        .map((each) => each.kill()),
    );
    await Promise.all([this.bouncer.remove(), this.redis.remove()]);
    await this.database.drop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
