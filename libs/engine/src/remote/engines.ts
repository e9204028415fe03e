import { EmbeddedEngine, type EmbeddedEngineOptions } from '../embedded/embedded-engine.js';
import { promptTokens } from '../text/prompt-tokens.js';
import { rlTraining } from '../jobs/rl-training.js';
import { sftTraining } from '../jobs/sft-training.js';
import type { BaseModelInfo, BaseModelSource, Engine } from '../protocol/engine.js';
import type { GenerateEvent, GenerateRequest, Prompt } from '../protocol/generate.js';
import type { AdapterShape, TrainEvent, TrainRequest } from '../protocol/train.js';
import { OpenAiSampler } from './openai/openai-sampler.js';
import { describeRemoteBase, type RemoteBase } from './remote-base.js';
import { remoteGeneration } from './remote-generation.js';
import type { RemoteSampler } from './remote-sampler.js';
import type { RemoteServerCheck } from './server-check.js';
import { TinkerSampler } from './tinker/tinker-sampler.js';
import { TinkerService } from './tinker/tinker-service.js';
import { tinkerTraining } from './tinker/tinker-training.js';

/** A base model that is trained or sampled elsewhere. */
interface Remote extends RemoteBase {
  /** null: it is trained here. */
  trainer: { service: TinkerService; /** Its name there. */ nameThere: string } | null;
  sampler: RemoteSampler;
  servers: readonly RemoteServerCheck[];
}

/** One engine over all: base models are trained and sampled here or on other machines, each as its source says. */
export class Engines implements Engine {
  private readonly remotes = new Map<string, Remote>();

  private constructor(
    private readonly embedded: EmbeddedEngine,
    private readonly keepEveryMs?: number,
  ) {}

  /** @throws EngineError `bad_model` for a directory that can't be served. */
  static async create(options: EmbeddedEngineOptions): Promise<Engines> {
    return new Engines(await EmbeddedEngine.create(options), options.keepEveryMs);
  }

  baseModels(): readonly BaseModelInfo[] {
    const remote = [...this.remotes.values()].flatMap(({ trainer, info }) => (trainer ? [info] : []));
    return [...this.embedded.baseModels(), ...remote];
  }

  /** @throws EngineError `bad_model`, and nothing is changed */
  async add(source: BaseModelSource): Promise<BaseModelInfo> {
    const info = source.trainer ? null : await this.embedded.add(source);
    const remote = await remoteOf(source);
    await this.remotes.get(source.id)?.sampler.close();
    if (remote) this.remotes.set(source.id, remote);
    return info ?? remote!.info;
  }

  /** What its base models need on other machines. */
  servers(): readonly RemoteServerCheck[] {
    return [...this.remotes.values()].flatMap(({ servers }) => servers);
  }

  checkAdapter(base: string, shape: AdapterShape): void {
    // What a server has room for it says itself.
    if (!this.remotes.get(base)?.trainer) this.embedded.checkAdapter(base, shape);
  }

  async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent> {
    const remote = this.remotes.get(request.base);
    if (!remote?.trainer) return yield* this.embedded.train(request, signal);
    const { texts, info, endTokenIds, trainer } = remote;
    const { data, shape } = request;
    const limits = { contextLength: info.contextLength, vocabularySize: info.vocabularySize, endTokenIds };
    const job = await (data.kind === 'rl' ? rlTraining(texts, limits, data) : sftTraining(texts, limits, data));
    const rank = shape?.rank ?? info.lora.rank;
    const { service, nameThere: baseModel } = trainer;
    const training = { service, baseModel, request, job, rank, keepEveryMs: this.keepEveryMs };
    yield* tinkerTraining(training, signal);
  }

  async *generate(request: GenerateRequest, signal?: AbortSignal): AsyncGenerator<GenerateEvent> {
    const remote = this.remotes.get(request.base);
    yield* remote ? remoteGeneration(remote, remote.sampler, request, signal) : this.embedded.generate(request, signal);
  }

  async encode(base: string, prompt: Prompt): Promise<number[]> {
    const remote = this.remotes.get(base);
    if (!remote) return this.embedded.encode(base, prompt);
    return promptTokens(remote.texts, prompt, remote.info.vocabularySize);
  }

  async close(): Promise<void> {
    await Promise.all([...this.remotes.values()].map(({ sampler }) => sampler.close()));
    await this.embedded.close();
  }
}

/** null where nothing of it is elsewhere. */
async function remoteOf(source: BaseModelSource): Promise<Remote | null> {
  const { trainer: tinker, inference = [], id } = source;
  if (!tinker && inference.length === 0) return null;
  const base = await describeRemoteBase(source);
  const trainer = tinker ? { service: new TinkerService(tinker), nameThere: tinker.model ?? id } : null;
  const servers: RemoteServerCheck[] = [];
  if (trainer) {
    const { service, nameThere } = trainer;
    servers.push({ kind: 'trainer', host: service.host, baseModel: id, ask: (ms) => service.check(nameThere, ms) });
    if (inference.length === 0) return { ...base, trainer, sampler: new TinkerSampler(service, nameThere), servers };
  }
  const sampler = new OpenAiSampler(inference, id);
  for (const server of sampler.servers) {
    servers.push({ kind: 'inference', host: server.host, baseModel: id, ask: (ms) => server.check(ms) });
  }
  return { ...base, trainer, sampler, servers };
}
