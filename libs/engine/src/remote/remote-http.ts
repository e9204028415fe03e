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

/** An answer whose body is not read yet. */
export interface OpenAnswer {
  response: Response;
  /** To be called when its body is read, or not wanted: what of it is under way ends. */
  close(): void;
}

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
   * @throws EngineError `unavailable` where it can't be had for now, `bad_answer` where it is refused, `cancelled`
   */
  async open(method: 'GET' | 'POST', path: string, options: AskOptions = {}): Promise<OpenAnswer> {
    const { signal, repeatable = true, patienceMs = PATIENCE_MS, accept = [] } = options;
    const until = performance.now() + patienceMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      if (signal?.aborted) throw cancelled();
      let problem: EngineError;
      let mayRepeat: boolean;
      try {
        const answer = await this.send(method, path, options);
        const { response, close } = answer;
        if (response.ok || accept.includes(response.status)) return answer;
        problem = await answerProblem(this, response, path).finally(close);
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

  /** What is made of an answer. @throws EngineError as {@link open}, also where its body breaks off */
  async ask<T>(
    method: 'GET' | 'POST',
    path: string,
    options: AskOptions,
    use: (response: Response) => Promise<T> | T,
  ): Promise<T> {
    const { response, close } = await this.open(method, path, options);
    try {
      return await use(response);
    } catch (error) {
      if (options.signal?.aborted) throw cancelled();
      throw error instanceof EngineError ? error : connectionProblem(this, error);
    } finally {
      close();
    }
  }

  /** @throws EngineError also for what is no JSON */
  async json(method: 'GET' | 'POST', path: string, options: AskOptions = {}): Promise<unknown> {
    const text = await this.ask(method, path, options, (response) => response.text());
    return parsedJson(text, `${this.server.name} at ${this.host}: its answer to ${path}`);
  }

  private async send(method: string, path: string, options: AskOptions): Promise<OpenAnswer> {
    const { body, contentType = 'application/json', signal, timeoutMs = TIMEOUT_MS } = options;
    // A signal of AbortSignal.timeout may be collected before its time.
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DOMException('too slow', 'TimeoutError')), timeoutMs);
    const leave = (): void => controller.abort();
    signal?.addEventListener('abort', leave, { once: true });
    const close = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      controller.abort();
    };
    try {
      const response = await this.followed(`${this.root}/${path}`, {
        method,
        headers: { ...this.server.headers, ...(body ? { 'content-type': contentType } : {}), ...options.headers },
        body: body instanceof Uint8Array ? new Uint8Array(body) : body && JSON.stringify(body),
        signal: controller.signal,
      });
      return { response, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Files may lie on another host, whose address is the key: ours is none of its business. */
  private async followed(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (init.method !== 'GET' || response.status < 300 || response.status >= 400 || location === null) return response;
    const target = new URL(location, url);
    const isOurs = target.origin === new URL(url).origin;
    return fetch(target, {
      signal: init.signal ?? null,
      redirect: 'error',
      ...(isOurs ? { headers: init.headers } : {}),
    });
  }
}

/** @throws EngineError `bad_answer` */
export function parsedJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError('bad_answer', `${what} is not JSON`);
  }
}

const cancelled = (): EngineError => new EngineError('cancelled', 'it was cancelled');
