import { EngineError } from '../protocol/engine.errors.js';
import type { SftConfig } from '../protocol/train.js';
import { DEFAULT_LEARNING_RATE } from './rl-config.js';

const AUTO_BATCH_SIZE = 2;

export interface ResolvedSftConfig {
  batchSize: number;
  /** One for all batches, or one for each. */
  learningRate: number | readonly number[];
  assistantTurns: 'all' | 'last';
}

/** @throws EngineError `invalid_request` with `config.NAME` as param. */
export function resolveSftConfig(config: SftConfig): ResolvedSftConfig {
  const batchSize = config.batch_size ?? 'auto';
  if (batchSize !== 'auto' && !(Number.isInteger(batchSize) && batchSize >= 1)) {
    throw invalid('batch_size', `must be "auto" or an integer of at least 1, not ${String(batchSize)}`);
  }
  const learningRate = config.learning_rate ?? DEFAULT_LEARNING_RATE;
  [learningRate].flat().forEach((rate, i) => {
    if (Number.isFinite(rate) && rate >= 0) return;
    const place = Array.isArray(learningRate) ? `learning_rate[${i}]` : 'learning_rate';
    throw invalid(place, `must be a finite number of at least 0, not ${String(rate)}`);
  });
  const assistantTurns = config.assistant_turns ?? 'all';
  if (!['all', 'last'].includes(assistantTurns)) {
    throw invalid('assistant_turns', `must be "all" or "last", not ${String(assistantTurns)}`);
  }
  return { batchSize: batchSize === 'auto' ? AUTO_BATCH_SIZE : batchSize, learningRate, assistantTurns };
}

/**
 * Learning rates of `batches` batches.
 * @throws EngineError `invalid_request` where there is a number of them that differs.
 */
export function batchLearningRates(config: ResolvedSftConfig, batches: number, examples: number): readonly number[] {
  const { learningRate, batchSize } = config;
  if (typeof learningRate === 'number') return new Array<number>(batches).fill(learningRate);
  if (learningRate.length === batches) return learningRate;
  throw invalid(
    'learning_rate',
    `has ${learningRate.length} entries, but ${examples} examples in batches of ${batchSize} make ${batches} batches`,
  );
}

function invalid(name: string, complaint: string): EngineError {
  return new EngineError('invalid_request', `${name} ${complaint}.`, `config.${name}`);
}
