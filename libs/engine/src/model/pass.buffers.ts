import type { Arena } from '../tensor/arena.js';
import { type Address, attentionRoom } from '../tensor/kernels.js';
import type { BatchPlan } from './batch-plan.js';
import { hasHeadNorms, LINEAR_MODULES, type LinearModule, type ModelConfig } from './model-config.js';

/** Addresses of queries [rows, heads, size] and keys [rows, key heads, size], or of their gradients. */
export interface Heads {
  q: Address;
  k: Address;
}

/**
 * What is kept of the forward pass for the way back: all that {@link LayerBuffers} names, or each layer's input alone, from
 * which the rest is computed again, layer by layer: the same bits in a third more time and, with many layers, a tenth of
 * the memory.
 */
export type Kept = 'all' | 'inputs';

/** What a layer has of its forward pass on its way back. */
export interface LayerBuffers {
  /** Input of the layer [rows, hidden], and between attention and feed-forward. */
  input: Address;
  middle: Address;
  inputInverse: Address;
  middleInverse: Address;
  /** As attention takes them; where heads have norms, as the linear layers gave them. */
  q: Address;
  k: Address;
  v: Address;
  attended: Address;
  gate: Address;
  up: Address;
  /** scale (x A) of each linear layer [rows, rank]; without an adapter 0. */
  lora: Record<LinearModule, Address>;
}

export interface PassBuffers {
  tokens: Address;
  positions: Address;
  keptRows: Address;
  targetRows: Address;
  targetTokens: Address;
  logprobs: Address;
  entropies: Address;
  gradient: Address;
  layers: LayerBuffers[];
  /** Output of the last layer [kept rows, hidden], its norm, and the rows that targets come from. */
  output: Address;
  outputInverse: Address;
  normed: Address;
  selected: Address;
  /** Of `logitRows` targets at a time; where that is all of them, they stay for the backward pass. */
  logits: Address;
  logitRows: number;
  /** Keys and values of a prefix and a branch, side by side, and their gradients. */
  keys: Address;
  values: Address;
  dKeys: Address;
  dValues: Address;
  /** For attention. */
  room: Address;
  /** Where heads have norms: what attention takes of one layer, and the norms' factors. */
  normedHeads: Heads | null;
  headInverse: Address;
  /** Backward: gradients of hidden states, of wide states, of the rows' queries, keys and values. */
  dx: Address;
  dNormed: Address;
  dGate: Address;
  dUp: Address;
  wide: Address;
  dq: Address;
  dk: Address;
  dv: Address;
  dAttended: Address;
  dLora: Address;
}

/** Up to so many floats, the logits of all targets are held, and are not computed again on the way back. */
const KEPT_LOGITS = 1 << 25;
/** Where the vocabulary is small, the head is a small part of a pass, and its logits are not worth more than this. */
const FEW_LOGITS = 1 << 18;
const SMALL_VOCABULARY = 1 << 12;
/** Else those of so many targets at a time, or more: each part reads the whole head. */
const LOGIT_ROWS = 64;

/** Targets whose logits are held at a time. */
function logitRowsOf(targets: number, vocabularySize: number): number {
  const kept = vocabularySize > SMALL_VOCABULARY ? KEPT_LOGITS : FEW_LOGITS;
  if (targets * vocabularySize <= kept) return Math.max(targets, 1);
  return Math.min(targets, Math.max(LOGIT_ROWS, Math.floor(FEW_LOGITS / vocabularySize)));
}

export function takeBuffers(arena: Arena, config: ModelConfig, plan: BatchPlan, rank: number, kept: Kept): PassBuffers {
  const { rows, longest } = plan;
  const targets = plan.targetRows.length;
  const hidden = rows * config.hiddenSize;
  const queries = rows * config.heads * config.headSize;
  const keySize = config.keyValueHeads * config.headSize;
  const headNorms = hasHeadNorms(config);
  const wide = rows * config.feedForwardSize;
  const logitRows = logitRowsOf(targets, config.vocabularySize);
  const takeLora = () =>
    Object.fromEntries(LINEAR_MODULES.map((module) => [module, rank > 0 ? arena.take(rows * rank) : 0]));
  const takeRest = (): Omit<LayerBuffers, 'input'> => ({
    middle: arena.take(hidden),
    inputInverse: arena.take(rows),
    middleInverse: arena.take(rows),
    q: arena.take(queries),
    k: arena.take(rows * keySize),
    v: arena.take(rows * keySize),
    attended: arena.take(queries),
    gate: arena.take(wide),
    up: arena.take(wide),
    lora: takeLora() as Record<LinearModule, Address>,
  });
  const rest = kept === 'all' ? null : takeRest();
  return {
    tokens: arena.take(rows),
    positions: arena.take(rows),
    keptRows: arena.take(plan.keptRows.length),
    targetRows: arena.take(targets),
    targetTokens: arena.take(targets),
    logprobs: arena.take(targets),
    entropies: arena.take(targets),
    gradient: arena.take(targets),
    layers: Array.from({ length: config.layers }, () => ({ input: arena.take(hidden), ...(rest ?? takeRest()) })),
    output: arena.take(hidden),
    outputInverse: arena.take(rows),
    normed: arena.take(hidden),
    selected: arena.take(targets * config.hiddenSize),
    logits: arena.take(logitRows * config.vocabularySize),
    logitRows,
    keys: arena.take(longest * keySize),
    values: arena.take(longest * keySize),
    dKeys: arena.take(longest * keySize),
    dValues: arena.take(longest * keySize),
    room: arena.take(attentionRoom(longest, config.headSize)),
    normedHeads: headNorms ? { q: arena.take(queries), k: arena.take(rows * keySize) } : null,
    headInverse: headNorms ? arena.take(rows * (config.heads + config.keyValueHeads)) : 0,
    dx: arena.take(hidden),
    dNormed: arena.take(hidden),
    dGate: arena.take(wide),
    dUp: arena.take(wide),
    wide: arena.take(wide),
    dq: arena.take(queries),
    dk: arena.take(rows * keySize),
    dv: arena.take(rows * keySize),
    dAttended: arena.take(queries),
    dLora: arena.take(rows * Math.max(rank, 1)),
  };
}
