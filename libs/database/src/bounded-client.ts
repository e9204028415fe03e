import pg from 'pg';
import { cancelStatement } from './cancel-statement.js';

export interface StatementLimits {
  /** After so long without an answer the server is asked whether it is there at all. */
  suspectMs: number;
  /** It has so long to say so. */
  pingMs: number;
  /** A statement that runs longer is given up, whatever it waits for. */
  statementMs: number;
  /** Whether it is canceled at that limit from here, where no session of the server's own knows the limit. */
  cancels?: boolean;
  /** Told of every statement that failed. */
  onFailure?(error: unknown): void;
}

export const STATEMENT_LIMITS: Pick<StatementLimits, 'suspectMs' | 'pingMs'> = { suspectMs: 4000, pingMs: 3000 };
/** The server ends a statement at its limit and says so; this much later nothing more is to be expected of it. */
const GRACE_MS = 2000;

type Callback = (error: Error | null | undefined, result?: unknown) => void;
/** What `pg.Client` keeps to itself. */
type Insides = { connection: { stream: { destroy(error: Error): void } } };

/**
 * A class of connections on which no statement waits for ever. One that the server doesn't answer is lost with its connection,
 * and fails as every lost connection does: a server that hangs within `suspectMs + pingMs`, a statement that never ends after
 * `statementMs`. Slow statements of a server that is there go on.
 */
export function boundedClient(url: string, limits: StatementLimits): typeof pg.Client {
  const server = new Server(url, limits.pingMs);

  class BoundedClient extends pg.Client {
    // The overloads of `query` are those of the class above.
    override query(...parameters: unknown[]): never {
      const lose = (error: Error): unknown => (this as unknown as Insides).connection.stream.destroy(error);
      const watch = new Watch(server, limits, lose, () => cancelStatement(this));
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        parameters[parameters.length - 1] = ((error, result) => {
          watch.end(error);
          (callback as Callback)(error, result);
        }) satisfies Callback;
      }
      const result = (super.query as (...parameters: unknown[]) => unknown).apply(this, parameters);
      if (!(result instanceof Promise)) return result as never;
      result.then(
        () => watch.end(),
        (error: unknown) => watch.end(error),
      );
      return result as never;
    }
  }
  return BoundedClient;
}

/** One statement, from when it is sent. */
class Watch {
  private timer: NodeJS.Timeout;
  private readonly limit: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly limits: StatementLimits,
    private readonly lose: (error: Error) => unknown,
    cancel: () => void,
  ) {
    this.timer = setTimeout(() => void this.suspect(), limits.suspectMs).unref();
    if (limits.cancels) this.limit = setTimeout(cancel, limits.statementMs).unref();
  }

  end(error?: unknown): void {
    clearTimeout(this.timer);
    clearTimeout(this.limit);
    this.ended = true;
    if (error) this.limits.onFailure?.(error);
  }

  private ended = false;

  private async suspect(): Promise<void> {
    const { suspectMs, pingMs, statementMs } = this.limits;
    if (!(await this.server.isThere()))
      return this.giveUp(`Query read timeout: the server is silent for ${suspectMs + pingMs} ms`);
    if (this.ended) return;
    this.timer = setTimeout(
      () => this.giveUp(`Query read timeout: the statement runs for ${statementMs} ms`),
      statementMs + GRACE_MS - suspectMs,
    ).unref();
  }

  private giveUp(reason: string): void {
    if (!this.ended) this.lose(new Error(reason));
  }
}

/** Those who suspect it at once ask once. */
class Server {
  private asking: Promise<boolean> | undefined;

  constructor(
    private readonly url: string,
    private readonly pingMs: number,
  ) {}

  isThere(): Promise<boolean> {
    return (this.asking ??= this.ask().finally(() => (this.asking = undefined)));
  }

  /** Whoever refuses answers too: only silence is none. */
  private async ask(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: this.pingMs });
    client.on('error', () => undefined);
    const silence = Symbol('silence');
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<typeof silence>((resolve) => {
      timer = setTimeout(() => resolve(silence), this.pingMs - 50);
    });
    const asked = client
      .connect()
      .then(() => client.query('SELECT 1'))
      .catch(() => undefined);
    try {
      return (await Promise.race([asked, silent])) !== silence;
    } finally {
      clearTimeout(timer);
      (client as unknown as Insides).connection.stream.destroy(new Error('no longer needed'));
    }
  }
}
