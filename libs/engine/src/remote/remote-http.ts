import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../protocol/engine.errors.js';
import { answerProblem, connectionProblem, isUnsent, SlowAnswerError } from './remote-failure.js';

export interface RemoteServer {
  /** Of which a path is the beginning of all others. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** What it is to a user, e.g. `the trainer`. */
  name: string;
}

export interface AskOptions {
  body?: Uint8Array | Readonly<Record<string, unknown>>;
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Whether doing it twice does it once: only then is it sent again when nobody knows whether it arrived. Default true. */
  repeatable?: boolean;
  /** Milliseconds in which trouble is waited out. */
  patienceMs?: number;
  /** Milliseconds that one answer may take. */
  timeoutMs?: number;
  /** Statuses that are answers, beside 200 to 299. */
  accept?: readonly number[];
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const PATIENCE_MS = 120_000;
const TIMEOUT_MS = 60_000;
/** Statuses that say "not now". */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** Asks a server on another machine, and waits out what passes: connections that break, 429 and 5xx. */
export class RemoteHttp {
  private readonly root: string;

  constructor(readonly server: RemoteServer) {
    this.root = server.url.replace(/\/+$/, '');
  }

  /** Host and port, which may be shown. */
  get host(): string {
    return new URL(this.root).host;
  }

  /**
   * @returns the answer, its body not read yet
   * @throws EngineError `unavailable` where it can't be had for now, `bad_answer` where it is refused, `cancelled`
   */
  async ask(method: 'GET' | 'POST', path: string, options: AskOptions = {}): Promise<Response> {
    const { signal, repeatable = true, patienceMs = PATIENCE_MS, accept = [] } = options;
    const until = performance.now() + patienceMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      if (signal?.aborted) throw cancelled();
      let problem: EngineError;
      let mayRepeat: boolean;
      try {
        const response = await this.send(method, path, options);
        if (response.ok || accept.includes(response.status)) return response;
        problem = await answerProblem(this, response, path);
        // A refusal for now did nothing; of any other failure nobody knows how far it came.
        mayRepeat = PASSING.includes(response.status) && (repeatable || response.status === 429);
      } catch (error) {
        if (signal?.aborted) throw cancelled();
        problem = connectionProblem(this, error);
        mayRepeat = (repeatable && !(problem instanceof SlowAnswerError)) || isUnsent(error);
      }
      if (!mayRepeat || performance.now() + wait > until) throw problem;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @throws EngineError also for what is no JSON */
  async json(method: 'GET' | 'POST', path: string, options: AskOptions = {}): Promise<unknown> {
    const response = await this.ask(method, path, options);
    try {
      return await response.json();
    } catch (error) {
      if (options.signal?.aborted) throw cancelled();
      throw error instanceof SyntaxError
        ? new EngineError('bad_answer', `${this.server.name} at ${this.host}: its answer to ${path} is not JSON`)
        : connectionProblem(this, error);
    }
  }

  private send(method: string, path: string, options: AskOptions): Promise<Response> {
    const { body, contentType = 'application/json', signal, timeoutMs = TIMEOUT_MS } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(`${this.root}/${path}`, {
      method,
      headers: { ...this.server.headers, ...(body ? { 'content-type': contentType } : {}), ...options.headers },
      body: body instanceof Uint8Array ? new Uint8Array(body) : body && JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  }
}

const cancelled = (): EngineError => new EngineError('cancelled', 'it was cancelled');
