import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { builtFile } from './built-file.js';

/** Byte address of a tensor's first float. */
export type Address = number;

/** The functions of `libs/engine/kernels`; what they do is written there. Sizes and strides count floats. */
export interface Kernels {
  gemm(
    m: number,
    n: number,
    k: number,
    a: Address,
    rsA: number,
    csA: number,
    b: Address,
    rsB: number,
    csB: number,
    c: Address,
    ldc: number,
    accumulate: number,
    scratch: Address,
  ): void;
  multiplyHalf(
    rows: number,
    input: number,
    output: number,
    x: Address,
    w: Address,
    y: Address,
    accumulate: number,
    scratch: Address,
  ): void;
  multiplyHalfBack(
    rows: number,
    input: number,
    output: number,
    dy: Address,
    w: Address,
    dx: Address,
    accumulate: number,
    scratch: Address,
  ): void;
  gatherHalf(w: Address, index: Address, to: Address, rows: number, input: number): void;
  attend(
    t: number,
    tk: number,
    heads: number,
    kv: number,
    size: number,
    q: Address,
    k: Address,
    v: Address,
    o: Address,
    room: Address,
  ): void;
  attendBackward(
    t: number,
    tk: number,
    heads: number,
    kv: number,
    size: number,
    q: Address,
    k: Address,
    v: Address,
    dO: Address,
    dq: Address,
    dk: Address,
    dv: Address,
    room: Address,
  ): void;
  appendCache(
    n: number,
    position: number,
    kv: number,
    size: number,
    capacity: number,
    k: Address,
    v: Address,
    keys: Address,
    values: Address,
  ): void;
  growCache(
    length: number,
    kv: number,
    size: number,
    from: Address,
    capacity: number,
    to: Address,
    newCapacity: number,
  ): void;
  attendCache(
    n: number,
    position: number,
    heads: number,
    kv: number,
    size: number,
    capacity: number,
    q: Address,
    keys: Address,
    values: Address,
    o: Address,
    scores: Address,
  ): void;
  add(x: Address, y: Address, n: number): void;
  addToRows(x: Address, y: Address, rows: number, width: number): void;
  addRowSums(x: Address, y: Address, rows: number, width: number): void;
  scale(x: Address, factor: number, n: number): void;
  copy(to: Address, from: Address, n: number): void;
  fill(x: Address, n: number): void;
  sumSquares(x: Address, n: number): number;
  gatherRows(from: Address, index: Address, to: Address, rows: number, width: number): void;
  scatterAddRows(from: Address, index: Address, to: Address, rows: number, width: number): void;
  swiglu(gate: Address, up: Address, y: Address, n: number): void;
  swigluBackward(gate: Address, up: Address, dy: Address, dGate: Address, dUp: Address, y: Address, n: number): void;
  rmsNorm(
    x: Address,
    weight: Address,
    y: Address,
    inverse: Address,
    rows: number,
    width: number,
    epsilon: number,
  ): void;
  rmsNormBackward(
    x: Address,
    weight: Address,
    inverse: Address,
    dy: Address,
    dx: Address,
    dWeight: Address,
    rows: number,
    width: number,
  ): void;
  rotate(
    x: Address,
    positions: Address,
    rows: number,
    heads: number,
    size: number,
    cos: Address,
    sin: Address,
    sign: number,
    factor: number,
  ): void;
  logSumExp(row: Address, n: number): number;
  scoreTargets(logits: Address, targets: Address, logprobs: Address, entropies: Address, rows: number, n: number): void;
  targetGradient(logits: Address, targets: Address, g: Address, rows: number, n: number): void;
  adamw(
    weights: Address,
    gradient: Address,
    m: Address,
    v: Address,
    n: number,
    learningRate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    weightDecay: number,
    correction1: number,
    correction2: number,
    clip: number,
  ): void;
  peak(rounds: number): number;
}

/** Query rows whose scores attention has in memory at a time. */
export const ATTENTION_ROWS = 36;

/** Floats of room for `attendBackward`, over so many positions; `attend` takes less. */
export function attentionRoom(positions: number, headSize: number): number {
  const padded = Math.ceil(positions / 8) * 8;
  return 2 * ATTENTION_ROWS * (padded + headSize) + 3 * padded * headSize;
}

/** Bytes of scratch that `gemm` and all that calls it need. */
export const SCRATCH_BYTES = 2 * 384 * 32 + 128;

let compiled: WebAssembly.Module | undefined;

/** The kernels on a memory: those that multiply and add in one instruction, unless another build is asked for. */
export function instantiateKernels(memory: WebAssembly.Memory, module?: WebAssembly.Module): Kernels {
  module ??= compiled ??= compileKernels();
  const abort = () => {
    throw new Error('a kernel aborted');
  };
  const instance = new WebAssembly.Instance(module, { env: { memory, abort } });
  return instance.exports as unknown as Kernels;
}

/** `relaxed` is the build that may fuse multiplication and addition, for which Node.js 20 wants a flag. */
export function compileKernels(relaxed = true): WebAssembly.Module {
  const plain = readFileSync(builtFile('kernels/kernels.wasm'));
  if (!relaxed) return new WebAssembly.Module(plain);
  const fused = readFileSync(builtFile('kernels/kernels-relaxed.wasm'));
  if (!WebAssembly.validate(fused)) setFlagsFromString('--experimental-wasm-relaxed-simd');
  return new WebAssembly.Module(WebAssembly.validate(fused) ? fused : plain);
}
