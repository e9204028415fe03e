/** Shape of a decoder of the Llama family. */
export interface ModelConfig {
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
