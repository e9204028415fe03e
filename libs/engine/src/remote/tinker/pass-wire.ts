import type { Datum, LossInputs } from './datum.js';

/** Losses of the protocol that are asked for. */
export type LossName = 'importance_sampling' | 'ppo' | 'cispo';

/** A forward pass, with or without the backward one. */
export interface Pass {
  modelId: string;
  seqId: number;
  lossFn: LossName;
  isForwardOnly: boolean;
  data: readonly Datum[];
  inputs: readonly LossInputs[];
}

/** How passes go over the wire: older servers speak JSON, newer ones protobuf. */
export interface PassWire {
  path(pass: Pass): string;
  readonly contentType: string;
  /** What answers are asked for. */
  readonly accept: string;
  encode(pass: Pass): Uint8Array | Readonly<Record<string, unknown>>;
  /** Log probabilities of all positions of each datum. @throws EngineError `bad_answer` */
  decode(body: Uint8Array, contentType: string): Float32Array[];
}
