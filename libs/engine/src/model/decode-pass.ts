import { Arena } from '../tensor/arena.js';
import { type Address, ATTENTION_ROWS } from '../tensor/kernels.js';
import { prepareHeads } from './attention-heads.js';
import type { AdapterView, Compute } from './compute.js';
import type { CacheView } from './key-value-cache.js';
import type { LinearModule, ModelConfig } from './model-config.js';

/** New tokens of one sequence, or of several that are the same from their first token to the last of these. */
export interface DecodeItem {
  /** With room for the new tokens: one for each sequence. */
  caches: readonly CacheView[];
  adapter: AdapterView | null;
  /** Position of the first of `tokens`; the cache holds everything before. */
  position: number;
  tokens: readonly number[];
  /**
   * Called when the tokens' keys and values of a layer are in the caches; returns when the caches hold everything before
   * them, where other threads compute that at the same time.
   */
  reached?: (layer: number) => void;
}

/** Rows of the batch that one adapter works on. */
interface Stretch {
  adapter: AdapterView;
  start: number;
  rows: number;
}

function takeBuffers(arena: Arena, config: ModelConfig, rows: number, sequences: number, rank: number) {
  const { hiddenSize, heads, keyValueHeads, headSize, feedForwardSize, vocabularySize, contextLength } = config;
  const capacity = Math.ceil(contextLength / 8) * 8;
  return {
    tokens: arena.take(rows),
    positions: arena.take(rows),
    lastRows: arena.take(sequences),
    x: arena.take(rows * hiddenSize),
    normed: arena.take(rows * hiddenSize),
    inverse: arena.take(rows),
    q: arena.take(rows * heads * headSize),
    k: arena.take(rows * keyValueHeads * headSize),
    v: arena.take(rows * keyValueHeads * headSize),
    headInverse: arena.take(rows * (heads + keyValueHeads)),
    attended: arena.take(rows * heads * headSize),
    gate: arena.take(rows * feedForwardSize),
    up: arena.take(rows * feedForwardSize),
    lora: arena.take(rows * Math.max(rank, 1)),
    scores: arena.take(Math.max(ATTENTION_ROWS, heads) * capacity),
    logits: arena.take(sequences * vocabularySize),
  };
}

/**
 * Computes new tokens of several sequences with what their caches hold: the same sums in the same order as a training
 * pass, so the same bits. Items with the same adapter should stand together.
 */
export class DecodePass {
  private buffers: ReturnType<typeof takeBuffers>;
  private rows = 0;
  private stretches: Stretch[] = [];

  constructor(
    private readonly compute: Compute,
    private readonly arena: Arena,
  ) {}

  /** Bytes of arena that a pass takes at most. */
  static bytes(config: ModelConfig, rows: number, sequences: number, rank: number): number {
    const arena = Arena.counting();
    takeBuffers(arena, config, rows, sequences, rank);
    return arena.used;
  }

  /** @returns the address of the logits [items, vocabulary] after the last token of each item; valid until the next run. */
  run(items: readonly DecodeItem[]): Address {
    const { compute, arena } = this;
    const { kernels, layout } = compute;
    const { layers, hiddenSize, normEpsilon } = compute.model.config;
    this.rows = items.reduce((sum, { tokens }) => sum + tokens.length, 0);
    this.stretches = stretchesOf(items.map(({ adapter, tokens }) => ({ adapter, rows: tokens.length })));
    const rank = this.stretches.reduce((most, { adapter }) => Math.max(most, adapter.rank), 0);
    arena.reset();
    const buffers = (this.buffers = takeBuffers(arena, compute.model.config, this.rows, items.length, rank));
    compute.reach(items.reduce((most, { position, tokens }) => Math.max(most, position + tokens.length), 0));
    this.place(items);
    compute.embed(buffers.tokens, buffers.x, this.rows);
    for (let layer = 0; layer < layers; layer++) {
      this.attention(layer, items);
      if (layer === layers - 1) this.keepLastRows(items);
      this.linear(layer, 'self_attn.o_proj', buffers.attended, buffers.x, true);
      this.feedForward(layer);
    }
    const { x, normed, inverse } = buffers;
    kernels.rmsNorm(x, compute.weight(layout.finalNorm), normed, inverse, this.rows, hiddenSize, normEpsilon);
    compute.multiply(this.rows, layout.head, normed, buffers.logits);
    return buffers.logits;
  }

  /** After the last layer's attention only the last token of each item is of use. */
  private keepLastRows(items: readonly DecodeItem[]): void {
    const { kernels, model } = this.compute;
    const { hiddenSize, heads, headSize } = model.config;
    const { lastRows, x, attended } = this.buffers;
    // They ascend, so each moves to its own place or to one before it.
    kernels.gatherRows(x, lastRows, x, items.length, hiddenSize);
    kernels.gatherRows(attended, lastRows, attended, items.length, heads * headSize);
    this.rows = items.length;
    this.stretches = stretchesOf(items.map(({ adapter }) => ({ adapter, rows: 1 })));
  }

  private place(items: readonly DecodeItem[]): void {
    const tokens = this.compute.integers(this.buffers.tokens, this.rows);
    const positions = this.compute.integers(this.buffers.positions, this.rows);
    const lastRows = this.compute.integers(this.buffers.lastRows, items.length);
    let row = 0;
    items.forEach((item, index) => {
      item.tokens.forEach((token, at) => {
        tokens[row] = token;
        positions[row++] = item.position + at;
      });
      lastRows[index] = row - 1;
    });
  }

  private attention(layer: number, items: readonly DecodeItem[]): void {
    const { compute, buffers, rows } = this;
    const { kernels } = compute;
    const { heads, keyValueHeads, headSize, hiddenSize, normEpsilon } = compute.model.config;
    const { x, normed, inverse, q, k, v, attended, positions, scores } = buffers;
    const norm = compute.weight(compute.layout.layers[layer]!.inputNorm);
    kernels.rmsNorm(x, norm, normed, inverse, rows, hiddenSize, normEpsilon);
    this.linear(layer, 'self_attn.q_proj', normed, q);
    this.linear(layer, 'self_attn.k_proj', normed, k);
    this.linear(layer, 'self_attn.v_proj', normed, v);
    prepareHeads(compute, layer, rows, positions, buffers, buffers, buffers.headInverse);
    let row = 0;
    for (const { caches, position, tokens, reached } of items) {
      const n = tokens.length;
      const keyAt = k + row * keyValueHeads * headSize * 4;
      const valueAt = v + row * keyValueHeads * headSize * 4;
      const queryAt = row * heads * headSize * 4;
      for (const cache of caches) {
        const [keys, values] = [cache.keys(layer), cache.values(layer)];
        kernels.appendCache(n, position, keyValueHeads, headSize, cache.capacity, keyAt, valueAt, keys, values);
      }
      reached?.(layer);
      const cache = caches[0]!;
      kernels.attendCache(
        n,
        position,
        heads,
        keyValueHeads,
        headSize,
        cache.capacity,
        q + queryAt,
        cache.keys(layer),
        cache.values(layer),
        attended + queryAt,
        scores,
      );
      row += n;
    }
  }

  private feedForward(layer: number): void {
    const { compute, buffers, rows } = this;
    const { kernels } = compute;
    const { feedForwardSize, hiddenSize, normEpsilon } = compute.model.config;
    const { x, normed, inverse, gate, up } = buffers;
    const norm = compute.weight(compute.layout.layers[layer]!.attentionNorm);
    kernels.rmsNorm(x, norm, normed, inverse, rows, hiddenSize, normEpsilon);
    this.linear(layer, 'mlp.gate_proj', normed, gate);
    this.linear(layer, 'mlp.up_proj', normed, up);
    kernels.swiglu(gate, up, gate, rows * feedForwardSize);
    this.linear(layer, 'mlp.down_proj', gate, x, true);
  }

  private linear(layer: number, module: LinearModule, x: Address, y: Address, accumulate = false): void {
    const { compute, rows, buffers } = this;
    const place = compute.layout.layers[layer]!.linear[module];
    const [input, output] = place.shape as readonly [number, number];
    compute.multiply(rows, place, x, y, accumulate);
    compute.addBias(layer, module, rows, y);
    for (const { adapter, start, rows: count } of this.stretches) {
      compute.adapt(adapter, layer, module, count, x + start * input * 4, buffers.lora, y + start * output * 4);
    }
  }
}

function stretchesOf(items: readonly { adapter: AdapterView | null; rows: number }[]): Stretch[] {
  const stretches: Stretch[] = [];
  let row = 0;
  for (const { adapter, rows } of items) {
    const last = stretches.at(-1);
    const goesOn = last && adapter && last.adapter.address === adapter.address && last.start + last.rows === row;
    if (goesOn) last.rows += rows;
    else if (adapter) stretches.push({ adapter, start: row, rows });
    row += rows;
  }
  return stretches;
}
