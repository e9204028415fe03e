import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../protocol/engine.errors.js';
import type { TinkerSource } from '../../protocol/engine.js';
import { SlowAnswerError } from '../remote-failure.js';
import { type AskOptions, parsedJson, RemoteHttp } from '../remote-http.js';
import { isObject } from '../../files/json-fields.js';
import { CHECK_PATIENCE_MS, checkModelIsThere } from '../server-check.js';
import { objectOf, textOf } from './fields.js';
import { JSON_PASSES } from './json-passes.js';
import type { PassWire } from './pass-wire.js';
import { PROTOBUF_PASSES } from './protobuf-passes.js';

/** What differs between servers of the protocol. */
export interface ServerTraits {
  passes: PassWire;
  normalization: 'sequence' | 'sum';
  /** Losses that clip the ratio to 0.8 .. 1.2, and are Heddle's own with that clip. */
  clippedLosses: readonly ('ppo' | 'cispo')[];
  /** Whether optim_step clips the gradient. */
  clips: boolean;
  /** Whether weights are sampled from only while the model is loaded that they were saved from, and instead of its own. */
  samplesFromLiveModels: boolean;
  /** Whether a request with a seq_id that was there is a retry. */
  knowsRetries: boolean;
}

/** What we call ourselves where the protocol asks for the client's version. */
const SDK_VERSION = '0.38.0';
/** How SkyRL names itself at its root. */
const SKYRL = 'Tinker API Mock';
const POLL_MS = 45_000;
/** A server that says "try again" at once must not be asked in a loop without a pause. */
const LEAST_POLL_MS = 50;

/** One server of the Tinker protocol. */
export class TinkerService {
  private readonly http: RemoteHttp;
  private found: Promise<ServerTraits> | null = null;

  constructor(private readonly source: TinkerSource) {
    const headers: Record<string, string> = source.apiKey === undefined ? {} : { 'x-api-key': source.apiKey };
    this.http = new RemoteHttp({ url: source.url, headers, name: 'the trainer' });
  }

  /** Milliseconds within which any one operation must be done. */
  get timeoutMs(): number {
    return this.source.timeoutMs;
  }

  get host(): string {
    return this.http.host;
  }

  /** Asked once; a server that was away is asked again. */
  traits(signal?: AbortSignal): Promise<ServerTraits> {
    this.found ??= this.findTraits(signal).catch((error: unknown) => {
      this.found = null;
      throw error;
    });
    return this.found;
  }

  /** Whether it would train this base model now. @throws EngineError as {@link RemoteHttp.open}, or where it hasn't it */
  async check(baseModel: string, timeoutMs: number): Promise<void> {
    const options = { timeoutMs, patienceMs: CHECK_PATIENCE_MS };
    await this.http.json('GET', 'api/v1/healthz', options);
    const answer = await this.http.json('GET', 'api/v1/get_server_capabilities', options);
    const models = isObject(answer) ? answer['supported_models'] : null;
    checkModelIsThere(models, 'model_name', baseModel, `the trainer at ${this.host}`);
  }

  post(path: string, body: Readonly<Record<string, unknown>>, options: AskOptions = {}): Promise<unknown> {
    return this.http.json('POST', `api/v1/${path}`, { ...options, body });
  }

  download<T>(path: string, use: (response: Response) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.http.ask('GET', `api/v1/${path}`, { signal, timeoutMs: this.source.timeoutMs }, use);
  }

  async createSession(signal?: AbortSignal): Promise<string> {
    const body = { type: 'create_session', tags: ['heddle'], user_metadata: {}, sdk_version: SDK_VERSION };
    return textOf(await this.post('create_session', body, { signal }), 'session_id', 'create_session');
  }

  /** Asks for something that takes its time, and waits for it. */
  async run(
    path: string,
    body: Uint8Array | Readonly<Record<string, unknown>>,
    options: AskOptions & { acceptType?: string } = {},
  ): Promise<{ body: Uint8Array; contentType: string }> {
    return this.wait(await this.begin(path, body, options), options.signal, options.acceptType);
  }

  /** @returns the id of its future */
  async begin(path: string, body: AskOptions['body'], options: AskOptions = {}): Promise<string> {
    const answer = await this.http.json('POST', `api/v1/${path}`, { ...options, body });
    return textOf(answer, 'request_id', path);
  }

  /** @throws EngineError `unavailable` where it isn't there in time or is lost, `bad_answer` where it failed */
  async wait(
    requestId: string,
    signal?: AbortSignal,
    acceptType = 'application/json',
  ): Promise<{ body: Uint8Array; contentType: string }> {
    const until = performance.now() + this.source.timeoutMs;
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) {
        const seconds = Math.round(this.source.timeoutMs / 1000);
        throw new EngineError('unavailable', `the trainer at ${this.host} was not done within ${seconds} s`);
      }
      const answer = await this.poll(requestId, Math.min(POLL_MS, left), signal, acceptType);
      if (answer === null) continue;
      if (answer.contentType.includes('protobuf')) return answer;
      const value = parsedJson(Buffer.from(answer.body).toString(), "the trainer's answer to retrieve_future");
      if (!isObject(value) || value['type'] !== 'try_again') {
        throwIfFailed(value, this.host);
        return answer;
      }
      await sleep(LEAST_POLL_MS);
    }
  }

  /** null where it isn't ready yet. */
  private async poll(
    requestId: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    accept: string,
  ): Promise<{ body: Uint8Array; contentType: string } | null> {
    const body = { request_id: requestId, allow_metadata_only: false };
    const options = { body, signal, timeoutMs, headers: { accept }, accept: [408] };
    try {
      return await this.http.ask('POST', 'api/v1/retrieve_future', options, async (response) => {
        if (response.status === 408) return null;
        const contentType = response.headers.get('content-type') ?? '';
        return { body: new Uint8Array(await response.arrayBuffer()), contentType };
      });
    } catch (error) {
      // Some servers hold the answer back for longer than we ask for; the next question finds the same future.
      if (error instanceof SlowAnswerError) return null;
      throw error;
    }
  }

  private async findTraits(signal?: AbortSignal): Promise<ServerTraits> {
    const config = { body: { sdk_version: SDK_VERSION }, signal, accept: [404, 405] };
    const isOlder = await this.http.ask('POST', 'api/v1/client/config', config, ({ ok }) => !ok);
    const front = { signal, accept: [404, 401, 403, 405] };
    const name = await this.http.ask('GET', '', front, async (response) => {
      const value: unknown = await response.json().catch(() => null);
      return isObject(value) ? value['name'] : null;
    });
    const isSkyRl = name === SKYRL;
    return {
      passes: isOlder ? JSON_PASSES : PROTOBUF_PASSES,
      normalization: this.source.normalization ?? (isSkyRl ? 'sequence' : 'sum'),
      clippedLosses: isSkyRl ? ['ppo'] : ['ppo', 'cispo'],
      clips: !isSkyRl,
      samplesFromLiveModels: isSkyRl,
      knowsRetries: !isSkyRl,
    };
  }
}

function throwIfFailed(value: unknown, host: string): void {
  const { error, category } = objectOf(value, 'retrieve_future');
  if (typeof error !== 'string') return;
  const code = category === 'server' ? 'unavailable' : 'bad_answer';
  throw new EngineError(code, `the trainer at ${host} failed: ${error.slice(0, 500)}`);
}
