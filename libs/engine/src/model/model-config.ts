/** Decoders that differ in little: Qwen2 adds biases to queries, keys and values, Qwen3 norms to queries and keys. */
export type ModelFamily = 'llama' | 'qwen2' | 'qwen3';

/** How RoPE's frequencies are changed for contexts longer than those of pretraining. */
export type RopeScaling =
  | { type: 'linear'; factor: number }
  | { type: 'llama3'; factor: number; lowFactor: number; highFactor: number; originalContext: number };

/** Shape of a decoder of the Llama family or one of its relatives. */
export interface ModelConfig {
  family: ModelFamily;
  vocabularySize: number;
  hiddenSize: number;
  layers: number;
  /** Query heads. */
  heads: number;
  /** Key and value heads: `heads / keyValueHeads` query heads share one (GQA). */
  keyValueHeads: number;
  headSize: number;
  feedForwardSize: number;
  /** Positions, prompt and completion together. */
  contextLength: number;
  normEpsilon: number;
  ropeTheta: number;
  ropeScaling: RopeScaling | null;
  /** Linear layers that add a bias. */
  biases: readonly LinearModule[];
  /** Whether the output head is the embedding. */
  tiedHead: boolean;
  /** Tokens that end a completion. */
  endTokenIds: number[];
}

/** The seven linear layers of a decoder layer, as Hugging Face names their modules. */
export const LINEAR_MODULES = [
  'self_attn.q_proj',
  'self_attn.k_proj',
  'self_attn.v_proj',
  'self_attn.o_proj',
  'mlp.gate_proj',
  'mlp.up_proj',
  'mlp.down_proj',
] as const;

export type LinearModule = (typeof LINEAR_MODULES)[number];

/** Whether each head of queries and keys goes through a norm before RoPE. */
export const hasHeadNorms = ({ family }: ModelConfig): boolean => family === 'qwen3';

/** Input and output size of a linear layer. */
export function linearShape(config: ModelConfig, module: LinearModule): { input: number; output: number } {
  const { hiddenSize, feedForwardSize } = config;
  const queries = config.heads * config.headSize;
  const keys = config.keyValueHeads * config.headSize;
  switch (module) {
    case 'self_attn.q_proj':
      return { input: hiddenSize, output: queries };
    case 'self_attn.k_proj':
    case 'self_attn.v_proj':
      return { input: hiddenSize, output: keys };
    case 'self_attn.o_proj':
      return { input: queries, output: hiddenSize };
    case 'mlp.gate_proj':
    case 'mlp.up_proj':
      return { input: hiddenSize, output: feedForwardSize };
    case 'mlp.down_proj':
      return { input: feedForwardSize, output: hiddenSize };
  }
}
