import { EngineError } from '../../protocol/engine.errors.js';
import type { InferenceSource } from '../../protocol/engine.js';
import { connectionProblem, RefusedError } from '../remote-failure.js';
import { RemoteHttp } from '../remote-http.js';
import type { RemoteSample, SampledPiece } from '../remote-sampler.js';
import { CHECK_PATIENCE_MS, checkModelIsThere } from '../server-check.js';
import { isObject } from '../../files/json-fields.js';
import { piecesOf } from './completion-chunks.js';
import { completionRequest } from './completion-request.js';
import { eventValues } from './event-lines.js';
import { UpstreamAdapters } from './upstream-adapters.js';

/** One server of OpenAI's completions with LoRA: vLLM, SGLang. */
export class Upstream {
  /** Requests under way. */
  inFlight = 0;
  private readonly http: RemoteHttp;
  private readonly adapters: UpstreamAdapters;

  constructor(
    readonly source: InferenceSource,
    private readonly baseModel: string,
  ) {
    const headers: Record<string, string> =
      source.apiKey === undefined ? {} : { authorization: `Bearer ${source.apiKey}` };
    this.http = new RemoteHttp({ url: source.url, headers, name: 'the inference server' });
    this.adapters = new UpstreamAdapters(this.http, source);
  }

  get host(): string {
    return this.http.host;
  }

  /** Whether it would sample the base model now. @throws EngineError as {@link RemoteHttp.open}, or where it hasn't it */
  async check(timeoutMs: number): Promise<void> {
    const options = { timeoutMs, patienceMs: CHECK_PATIENCE_MS, accept: [404] };
    await this.http.ask('GET', 'health', options, () => undefined);
    const answer = await this.http.json('GET', 'v1/models', { ...options, accept: [] });
    const models = isObject(answer) ? answer['data'] : null;
    checkModelIsThere(models, 'id', this.baseModel, `the inference server at ${this.host}`);
  }

  async *complete(sample: RemoteSample, signal?: AbortSignal): AsyncGenerator<SampledPiece> {
    const { adapter } = sample;
    if (adapter === null) return yield* this.stream(sample, this.baseModel, signal);
    try {
      yield* this.streamWith(adapter, sample, signal);
    } catch (error) {
      // It was started anew since, or somebody took the adapter from it.
      if (!(error instanceof RefusedError) || error.status !== 404) throw error;
      yield* this.streamWith(adapter, sample, signal);
    }
  }

  private async *streamWith(adapter: string, sample: RemoteSample, signal?: AbortSignal): AsyncGenerator<SampledPiece> {
    const { name, release } = await this.adapters.use(adapter);
    try {
      yield* this.stream(sample, name, signal);
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) this.adapters.forget(name);
      throw error;
    } finally {
      release();
    }
  }

  private async *stream(sample: RemoteSample, model: string, signal?: AbortSignal): AsyncGenerator<SampledPiece> {
    const body = completionRequest(sample, model);
    const options = { body, signal, timeoutMs: this.source.timeoutMs, patienceMs: 0, repeatable: false };
    const { response, close } = await this.http.open('POST', 'v1/completions', options);
    try {
      for await (const chunk of eventValues(response.body as AsyncIterable<Uint8Array>)) yield* piecesOf(chunk);
    } catch (error) {
      throw error instanceof EngineError ? error : connectionProblem(this.http, error);
    } finally {
      // Whoever leaves before the end stops it there, too.
      close();
    }
  }
}
