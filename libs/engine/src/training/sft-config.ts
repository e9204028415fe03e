import { AUTO_BATCH_SIZE, rateListProblem, SFT_SETTINGS, type SftConfig } from '../protocol/sft-config.schema.js';

export interface ResolvedSftConfig {
  batchSize: number;
  /** One for all batches, or one for each. */
  learningRate: number | readonly number[];
  assistantTurns: 'all' | 'last';
}

/** @throws EngineError `invalid_request` with `config.NAME` as param. */
export function resolveSftConfig(config: SftConfig): ResolvedSftConfig {
  const set = SFT_SETTINGS.resolve(config);
  return {
    batchSize: set.batch_size === 'auto' ? AUTO_BATCH_SIZE : set.batch_size,
    learningRate: set.learning_rate,
    assistantTurns: set.assistant_turns,
  };
}

/**
 * Learning rates of `batches` batches.
 * @throws EngineError `invalid_request` where there is a number of them that differs.
 */
export function batchLearningRates(config: ResolvedSftConfig, batches: number, examples: number): readonly number[] {
  const { learningRate, batchSize } = config;
  if (typeof learningRate === 'number') return new Array<number>(batches).fill(learningRate);
  const problem = rateListProblem({ batch_size: batchSize, learning_rate: [...learningRate] }, examples);
  if (problem !== null) throw SFT_SETTINGS.refusal('learning_rate', problem);
  return learningRate;
}
