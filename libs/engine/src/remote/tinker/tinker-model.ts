import { EngineError } from '../../protocol/engine.errors.js';
import type { StepOptions } from '../../training/trainer.js';
import type { Datum, LossInputs } from './datum.js';
import { textOf } from './fields.js';
import type { LossName, Pass } from './pass-wire.js';
import type { TinkerService } from './tinker-service.js';

export interface NewModel {
  session: string;
  /** From 0 in each session. */
  sequence: number;
  baseModel: string;
  lora: { rank: number; seed: number; train_mlp: boolean; train_attn: boolean; train_unembed: boolean };
  signal?: AbortSignal;
}

export interface OptimizerStep extends StepOptions {
  learningRate: number;
}

/** Positions of one request: its body stays a few megabytes, also as JSON. */
const CHUNK_TOKENS = 32_768;

/** An adapter that lives on a server. Whatever is done to it is done in the order of the calls. */
export class TinkerModel {
  private sequence = 0;

  private constructor(
    private readonly service: TinkerService,
    readonly id: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** @throws EngineError */
  static async create(service: TinkerService, model: NewModel): Promise<TinkerModel> {
    const { session, sequence, baseModel, lora, signal } = model;
    const body = {
      type: 'create_model',
      session_id: session,
      model_seq_id: sequence,
      base_model: baseModel,
      lora_config: lora,
      optimizer_config: { type: 'adamw' },
    };
    const repeatable = (await service.traits(signal)).knowsRetries;
    const { body: result } = await service.run('create_model', body, { signal, repeatable });
    const id = textOf(JSON.parse(Buffer.from(result).toString()), 'model_id', 'create_model');
    return new TinkerModel(service, id, signal);
  }

  /** Log probabilities of all targets of each datum; where a loss is named, its gradient is added to what is there. */
  async pass(data: readonly Datum[], inputs: readonly LossInputs[], loss: LossName | null): Promise<Float32Array[]> {
    const isForwardOnly = loss === null;
    const { passes, knowsRetries } = await this.service.traits(this.signal);
    const requests = chunks(data).map(({ begin, end }): Pass => ({
      modelId: this.id,
      seqId: ++this.sequence,
      lossFn: loss ?? 'importance_sampling',
      isForwardOnly,
      data: data.slice(begin, end),
      inputs: inputs.slice(begin, end),
    }));
    const options = {
      signal: this.signal,
      contentType: passes.contentType,
      // A gradient that is added twice is another gradient.
      repeatable: isForwardOnly || knowsRetries,
    };
    const futures: string[] = [];
    for (const request of requests) {
      futures.push(await this.service.begin(passes.path(request), passes.encode(request), options));
    }
    const results: Float32Array[] = [];
    for (const future of futures) {
      const { body, contentType } = await this.service.wait(future, this.signal, passes.accept);
      results.push(...passes.decode(body, contentType));
    }
    checkShapes(data, results);
    return results;
  }

  /** One step of AdamW along what was added up since the last one. */
  async step({ settings, learningRate, maxGradientNorm }: OptimizerStep): Promise<void> {
    const { beta1, beta2, epsilon, weightDecay } = settings;
    await this.run('optim_step', {
      adam_params: {
        learning_rate: learningRate,
        beta1,
        beta2,
        eps: epsilon,
        weight_decay: weightDecay,
        grad_clip_norm: maxGradientNorm,
      },
    });
  }

  /** Weights and optimiser, as they were kept under a path. */
  async load(path: string): Promise<void> {
    await this.run('load_weights', { path, optimizer: true });
  }

  /** Keeps weights and optimiser. @returns their path */
  async save(name: string): Promise<string> {
    return textOf(await this.run('save_weights', { path: name }), 'path', 'save_weights');
  }

  /** Keeps the weights for sampling and for download. @returns their path */
  async saveForSampler(name: string): Promise<string> {
    const body = { path: name, kind: 'snapshot' };
    return textOf(await this.run('save_weights_for_sampler', body), 'path', 'save_weights_for_sampler');
  }

  private async run(what: string, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { knowsRetries } = await this.service.traits(this.signal);
    const body = { type: what, model_id: this.id, seq_id: ++this.sequence, ...fields };
    const { body: result } = await this.service.run(what, body, { signal: this.signal, repeatable: knowsRetries });
    return JSON.parse(Buffer.from(result).toString());
  }
}

function chunks(data: readonly Datum[]): { begin: number; end: number }[] {
  const found: { begin: number; end: number }[] = [];
  let room = 0;
  data.forEach(({ input }, index) => {
    if (found.length === 0 || input.length > room) {
      found.push({ begin: index, end: index });
      room = CHUNK_TOKENS;
    }
    found.at(-1)!.end = index + 1;
    room -= input.length;
  });
  return found;
}

/** A server that answers for other sequences than were asked about must not teach anything. */
function checkShapes(data: readonly Datum[], results: readonly Float32Array[]): void {
  if (results.length !== data.length) {
    throw new EngineError('bad_answer', `the trainer answered for ${results.length} sequences of ${data.length}`);
  }
  data.forEach(({ targets }, index) => {
    const { length } = results[index]!;
    if (results[index]!.some((value) => !Number.isFinite(value))) {
      throw new EngineError('bad_answer', 'the trainer gave log probabilities that are not finite');
    }
    if (length === targets.length) return;
    throw new EngineError('bad_answer', `the trainer gave ${length} log probabilities for ${targets.length} tokens`);
  });
}
