import type { GenerateEvent, GenerateRequest, Prompt, SamplingDefaults } from './generate.js';
import type { AdapterShape, TrainEvent, TrainRequest } from './train.js';

/** A server of the Tinker protocol that trains: SkyRL on the user's own GPUs, or the hosted service. */
export interface TinkerSource {
  readonly url: string;
  readonly apiKey?: string;
  /** Name of the base model there; default: the id here. */
  readonly model?: string;
  /**
   * Whether it divides each sequence's loss by the sum of its weights, and the gradient by the number of sequences, or adds
   * up, as the protocol's documentation says. Default: by the kind of server.
   */
  readonly normalization?: 'sequence' | 'sum';
  /** Milliseconds within which any one operation must be done; the first of a shape may have to be compiled. */
  readonly timeoutMs: number;
}

/** A server of OpenAI's completions that loads LoRA adapters at run time, such as vLLM. */
export interface InferenceSource {
  readonly url: string;
  readonly apiKey?: string;
  /** Name of the base model there; default: the id here. */
  readonly model?: string;
  /** Where it sees the folder of adapters; absent: where it is here. */
  readonly adaptersPath?: string;
  /** Adapters that it has room for. */
  readonly maxAdapters: number;
  /** Milliseconds that one completion may take. */
  readonly timeoutMs: number;
}

/** A base model that an engine is to have. */
export interface BaseModelSource {
  /** Name on the wire, e.g. `heddle/shuttle-1m`. */
  readonly id: string;
  /** In Hugging Face format. */
  readonly directory: string;
  /** Of new adapters where the request names none. */
  readonly lora?: AdapterShape;
  /** Where its adapters are trained; absent: here. */
  readonly trainer?: TinkerSource;
  /** Where its completions are sampled; absent: by what trains it. */
  readonly inference?: readonly InferenceSource[];
}

/** A base model that adapters can be trained on. */
export interface BaseModelInfo {
  readonly id: string;
  /** Which kind of decoder it is: `model_type` of its config.json. */
  readonly family: string;
  /** What trains its adapters. */
  readonly engine: 'embedded' | 'tinker';
  /** Tokens that prompt and completion may have together. */
  readonly contextLength: number;
  /** null where that is not known here. */
  readonly parameters: number | null;
  readonly vocabularySize: number;
  /** What holds for requests that leave these options out. */
  readonly sampling: SamplingDefaults;
  /** What its weights take in memory; 0 where they are elsewhere. */
  readonly memoryBytes: number;
  /** Of new adapters where the request names none. */
  readonly lora: Required<AdapterShape>;
  /** Directory of the model in Hugging Face format. */
  readonly directory: string;
}

/**
 * What trains and samples. It knows tensors and files, never the database: whoever calls writes all state. The embedded
 * engine runs on threads of this process; everything that crosses this interface is plain data, paths of directories
 * and a stream of events, so that an engine server in another language can speak it too.
 */
export interface Engine {
  baseModels(): readonly BaseModelInfo[];

  /** @throws EngineError `invalid_request` for an adapter that could not be trained on the base model. */
  checkAdapter(base: string, shape: AdapterShape): void;

  /**
   * Trains one adapter: one `started`, then `numSequences` times `step`, then `ended`, after which `request.to` holds the
   * whole adapter. The same request gives the same events and the same weights, so a caller that was interrupted runs it
   * again and passes over the steps that it has already seen.
   * @throws EngineError with a message for the user; `request.to` does not exist then. Aborting throws `cancelled`
   *   within 100 ms.
   */
  train(request: TrainRequest, signal?: AbortSignal): AsyncIterable<TrainEvent>;

  /**
   * Samples `request.n` completions. Leaving the loop or aborting stops the generation.
   * @throws EngineError, before the first event where the request is at fault.
   */
  generate(request: GenerateRequest, signal?: AbortSignal): AsyncIterable<GenerateEvent>;

  /** The tokens of a prompt, as {@link generate} samples behind them. No weights are loaded. @throws EngineError */
  encode(base: string, prompt: Prompt): Promise<number[]>;

  /** Ends the threads; what still runs throws `closed`. */
  close(): Promise<void>;
}
