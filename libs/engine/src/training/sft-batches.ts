import { EngineError } from '../protocol/engine.errors.js';
import type { SftExample } from '../protocol/train.js';
import { batchLearningRates, type ResolvedSftConfig } from './sft-config.js';
import type { Branch, SequenceTree } from './sequence-tree.js';

/** One optimiser step; where nothing is left of its examples, `trees` is empty and nothing is to be done. */
export interface SftBatch {
  /** Without prefix, one sequence each. */
  trees: SequenceTree[];
  learningRate: number;
  /** Examples that are trained on, their tokens, and those of them that are targets. */
  trajectories: number;
  tokens: number;
  trainableTokens: number;
  /** Examples without a target within `maxTokens`, and those that were cut at their end. */
  dropped: number;
  truncated: number;
}

/**
 * Cuts examples, in order, into batches of `batchSize`.
 * @param tokenize tokens of an example and the positions of those to learn.
 * @throws EngineError `invalid_request` where there is not one learning rate for each batch, and what `tokenize` throws.
 */
export async function sftBatches(
  examples: AsyncIterable<SftExample> | Iterable<SftExample>,
  config: ResolvedSftConfig,
  tokenize: (example: SftExample) => { tokens: ArrayLike<number>; targets: ArrayLike<number> },
  maxTokens: number,
): Promise<SftBatch[]> {
  const batches: SftBatch[] = [];
  let count = 0;
  for await (const example of examples) {
    if (count++ % config.batchSize === 0) batches.push(emptyBatch());
    const { tokens, targets } = numbered(count, () => tokenize(example));
    addExample(batches.at(-1)!, Int32Array.from(tokens), Int32Array.from(targets), maxTokens);
  }
  const rates = batchLearningRates(config, batches.length, count);
  return batches.map((batch, i) => ({ ...batch, learningRate: rates[i]! }));
}

/** @throws EngineError that says which example it was */
function numbered<T>(number: number, tokenize: () => T): T {
  try {
    return tokenize();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Example ${number}: ${error.message}`, error.param);
  }
}

function addExample(batch: SftBatch, tokens: Int32Array, targets: Int32Array, maxTokens: number): void {
  // Nothing precedes position 0, so it can't be predicted.
  const kept = targets.filter((position) => position > 0 && position < maxTokens);
  if (kept.length === 0) {
    batch.dropped += 1;
    return;
  }
  const branch: Branch = { tokens: tokens.slice(0, maxTokens), targets: kept };
  batch.trees.push({ prefix: new Int32Array(0), branches: [branch] });
  batch.trajectories += 1;
  batch.tokens += branch.tokens.length;
  batch.trainableTokens += kept.length;
  if (tokens.length > maxTokens) batch.truncated += 1;
}

function emptyBatch(): SftBatch {
  return { trees: [], learningRate: 0, trajectories: 0, tokens: 0, trainableTokens: 0, dropped: 0, truncated: 0 };
}
