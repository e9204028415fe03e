import type { ModelConfig } from '../model/model-config.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { JsonFields } from './json-fields.js';

const ARCHITECTURE = 'LlamaForCausalLM';

/**
 * The shape that a Hugging Face config.json describes, with the defaults of transformers' LlamaConfig.
 * @param generation generation_config.json, whose end tokens win.
 * @throws EngineError that names the key, for whatever the engine would not compute as transformers does.
 */
export function parseModelConfig(fields: JsonFields, generation: JsonFields | null): ModelConfig {
  refuseUnsupported(fields);
  const heads = fields.size('num_attention_heads');
  const hiddenSize = fields.size('hidden_size');
  if (hiddenSize % heads) throw fields.refusal('hidden_size', `a multiple of num_attention_heads ${heads}`);
  const config: ModelConfig = {
    vocabularySize: fields.size('vocab_size'),
    hiddenSize,
    layers: fields.size('num_hidden_layers'),
    heads,
    keyValueHeads: fields.size('num_key_value_heads', heads),
    headSize: fields.size('head_dim', hiddenSize / heads),
    feedForwardSize: fields.size('intermediate_size'),
    contextLength: fields.size('max_position_embeddings', 2048),
    normEpsilon: fields.number('rms_norm_eps', 1e-6),
    ropeTheta: ropeTheta(fields),
    tiedHead: fields.flag('tie_word_embeddings', false),
    endTokenIds: [],
  };
  checkSizes(fields.file, config);
  const source = generation && generation.get('eos_token_id') !== undefined ? generation : fields;
  return { ...config, endTokenIds: endTokenIds(source, config.vocabularySize) };
}

/** Both spellings of the RoPE base: transformers 4 and vLLM read `rope_theta`, transformers 5 `rope_parameters`. */
export function formatModelConfig(config: ModelConfig, dtype: 'F32' | 'F16'): Record<string, unknown> {
  return {
    architectures: [ARCHITECTURE],
    model_type: 'llama',
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headSize,
    intermediate_size: config.feedForwardSize,
    max_position_embeddings: config.contextLength,
    rms_norm_eps: config.normEpsilon,
    rope_theta: config.ropeTheta,
    rope_parameters: { rope_theta: config.ropeTheta, rope_type: 'default' },
    tie_word_embeddings: config.tiedHead,
    hidden_act: 'silu',
    attention_bias: false,
    mlp_bias: false,
    bos_token_id: null,
    eos_token_id: formatEndTokens(config),
    torch_dtype: dtype === 'F16' ? 'float16' : 'float32',
  };
}

export const formatGenerationConfig = (config: ModelConfig): Record<string, unknown> => ({
  eos_token_id: formatEndTokens(config),
});

function refuseUnsupported(fields: JsonFields): void {
  const architectures =
    fields.get('architectures') ?? (fields.get('model_type') === 'llama' ? [ARCHITECTURE] : undefined);
  const known = Array.isArray(architectures) && architectures.length === 1 && architectures[0] === ARCHITECTURE;
  if (!known) throw fields.refusal('architectures', `["${ARCHITECTURE}"]`);
  if ((fields.get('model_type') ?? 'llama') !== 'llama') throw fields.refusal('model_type', '"llama"');
  if ((fields.get('hidden_act') ?? 'silu') !== 'silu') throw fields.refusal('hidden_act', '"silu"');
  for (const key of ['attention_bias', 'mlp_bias', 'quantization_config', 'sliding_window', 'use_sliding_window']) {
    if (fields.get(key) !== undefined && fields.get(key) !== false) throw fields.refusal(key, 'none (unsupported)');
  }
  const layerTypes = fields.get('layer_types') ?? [];
  if (!Array.isArray(layerTypes) || layerTypes.some((type) => type !== 'full_attention')) {
    throw fields.refusal('layer_types', '"full_attention" only');
  }
}

function ropeTheta(fields: JsonFields): number {
  const older = fields.nested('rope_scaling');
  const newer = fields.nested('rope_parameters');
  [older, newer].forEach(refuseScaling);
  if (fields.number('partial_rotary_factor', 1) !== 1) throw fields.refusal('partial_rotary_factor', '1');
  // transformers 5 prefers the older key where it holds anything.
  const rope = older.keys().length ? older : newer;
  const place = rope.get('rope_theta') === undefined ? fields : rope;
  const theta = place.number('rope_theta', 10_000);
  if (theta <= 0) throw place.refusal('rope_theta', 'a positive number');
  return theta;
}

function refuseScaling(rope: JsonFields): void {
  for (const key of ['rope_type', 'type']) {
    if ((rope.get(key) ?? 'default') !== 'default') throw rope.refusal(key, '"default" (RoPE without scaling)');
  }
  if (rope.number('partial_rotary_factor', 1) !== 1) throw rope.refusal('partial_rotary_factor', '1');
  const perLayer = rope.keys().find((key) => typeof rope.get(key) === 'object');
  if (perLayer !== undefined) throw rope.refusal(perLayer, 'one RoPE for all layers');
}

function checkSizes(file: string, config: ModelConfig): void {
  const refuse = (what: string): never => {
    throw new EngineError('bad_model', `${file}: ${what}`);
  };
  const { heads, keyValueHeads, hiddenSize, headSize, feedForwardSize, normEpsilon } = config;
  if (heads % keyValueHeads)
    refuse(`num_attention_heads is ${heads}, expected a multiple of num_key_value_heads ${keyValueHeads}`);
  // The kernels work on 4 numbers at a time; RoPE on each half of a head.
  if (hiddenSize % 4) refuse(`hidden_size is ${hiddenSize}, expected a multiple of 4`);
  if (headSize % 8) refuse(`head_dim is ${headSize}, expected a multiple of 8`);
  if (feedForwardSize % 4) refuse(`intermediate_size is ${feedForwardSize}, expected a multiple of 4`);
  if (normEpsilon <= 0) refuse(`rms_norm_eps is ${normEpsilon}, expected a positive number`);
}

function endTokenIds(fields: JsonFields, vocabularySize: number): number[] {
  const value = fields.has('eos_token_id') ? (fields.get('eos_token_id') ?? []) : 2;
  const ids: unknown[] = Array.isArray(value) ? value : [value];
  const valid = ids.every((id) => Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < vocabularySize);
  if (!valid) throw fields.refusal('eos_token_id', `token ids under ${vocabularySize}`);
  return ids as number[];
}

const formatEndTokens = ({ endTokenIds: ids }: ModelConfig): number | number[] | null =>
  ids.length > 1 ? ids : (ids[0] ?? null);
