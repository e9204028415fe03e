import type { AdapterView } from '../model/compute.js';
import type { SharedModel } from '../model/model-memory.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import { EngineError, type EngineErrorCode } from '../protocol/engine.errors.js';
import type { PromptToken, SampledToken } from '../protocol/generate.js';
import type { ResolvedOptions } from '../sampling/sampling-options.js';
import type { PromptOffer } from '../scheduling/divided-prompt.js';
import type { Address } from '../tensor/kernels.js';

export interface Region {
  address: Address;
  bytes: number;
}

/** What a sampling thread is started with. */
export interface SampleThreadData {
  model: SharedModel;
  scratch: Address;
  arena: Region;
  /** Where the caches of its sequences lie. */
  caches: Region;
  /** Bytes of each token, for grammars. */
  vocabulary: { bytes: Uint8Array; special: boolean }[];
  endTokenIds: number[];
  /** Which of how many threads this is. */
  thread: number;
  threads: number;
}

/** One completion to sample. */
export interface SampleSpec {
  id: number;
  prompt: number[];
  /** `key` differs for any two adapters that were ever loaded; null is the base model. */
  adapter: { view: AdapterView; key: number } | null;
  options: ResolvedOptions;
  seed: number;
  choice: number;
  tools: Tool[];
  toolCalls: ToolCallForm;
  /** Nothing is sampled: what is wanted are the log probabilities of the prompt. */
  scoresPrompt?: boolean;
}

export type SampleCommand =
  | { type: 'start'; spec: SampleSpec }
  | { type: 'stop'; id: number }
  /** Another thread's prompt, for one that has nothing to do. */
  | { type: 'help'; offer: PromptOffer };

/** What a thread sends: outcomes of a step, or a prompt of which idle threads may compute pieces. */
export type SampleMessage = SampleOutcome[] | { help: PromptOffer };

/** What happened to a completion in one step of its thread. Exactly one `done` or `failed` ends each. */
export type SampleOutcome =
  | { type: 'token'; id: number; token: SampledToken }
  | { type: 'scored'; id: number; tokens: readonly PromptToken[] }
  | { type: 'done'; id: number }
  | { type: 'failed'; id: number; code: EngineErrorCode; message: string; param: string | null };

export function failedOutcome(id: number, error: unknown): SampleOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const { code, param } = error instanceof EngineError ? error : { code: 'thread_died' as const, param: null };
  return { type: 'failed', id, code, message, param };
}
