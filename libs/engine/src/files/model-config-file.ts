import type { LinearModule, ModelConfig } from '../model/model-config.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { JsonFields } from './json-fields.js';
import { FAMILIES, familyOf } from './model-family.js';
import { formatRope, parseRope } from './rope-config.js';
import { refuseSlidingWindow } from './sliding-window.js';

/**
 * The shape that a Hugging Face config.json describes, with the defaults of transformers' classes of configurations.
 * @param generation generation_config.json, whose end tokens win.
 * @throws EngineError that names the key, for whatever the engine would not compute as transformers does.
 */
export function parseModelConfig(fields: JsonFields, generation: JsonFields | null): ModelConfig {
  const family = familyOf(fields);
  const traits = FAMILIES[family];
  refuseUnsupported(fields);
  const heads = fields.size('num_attention_heads');
  const hiddenSize = fields.size('hidden_size');
  const headSize = traits.headSize ?? hiddenSize / heads;
  if (!Number.isInteger(headSize)) throw fields.refusal('hidden_size', `a multiple of num_attention_heads ${heads}`);
  const contextLength = fields.size('max_position_embeddings', traits.contextLength);
  const config: ModelConfig = {
    family,
    vocabularySize: fields.size('vocab_size'),
    hiddenSize,
    layers: fields.size('num_hidden_layers'),
    heads,
    keyValueHeads: fields.size('num_key_value_heads', heads),
    headSize: fields.size('head_dim', headSize),
    feedForwardSize: fields.size('intermediate_size'),
    contextLength,
    normEpsilon: fields.number('rms_norm_eps', 1e-6),
    ...parseRope(fields, contextLength),
    biases: traits.biases(fields),
    tiedHead: fields.flag('tie_word_embeddings', false),
    endTokenIds: [],
  };
  checkSizes(fields.file, config);
  refuseSlidingWindow(fields, config);
  const source = generation && generation.get('eos_token_id') !== undefined ? generation : fields;
  return { ...config, endTokenIds: endTokenIds(source, config.vocabularySize, traits.endTokenId) };
}

export function formatModelConfig(config: ModelConfig, dtype: 'F32' | 'F16'): Record<string, unknown> {
  return {
    architectures: [FAMILIES[config.family].architecture],
    model_type: config.family,
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headSize,
    intermediate_size: config.feedForwardSize,
    max_position_embeddings: config.contextLength,
    rms_norm_eps: config.normEpsilon,
    ...formatRope(config),
    tie_word_embeddings: config.tiedHead,
    hidden_act: 'silu',
    attention_bias: hasBias(config, 'self_attn.o_proj'),
    mlp_bias: hasBias(config, 'mlp.up_proj'),
    bos_token_id: null,
    eos_token_id: formatEndTokens(config),
    torch_dtype: dtype === 'F16' ? 'float16' : 'float32',
  };
}

export const formatGenerationConfig = (config: ModelConfig): Record<string, unknown> => ({
  eos_token_id: formatEndTokens(config),
});

const hasBias = ({ biases }: ModelConfig, module: LinearModule): boolean => biases.includes(module);

function refuseUnsupported(fields: JsonFields): void {
  if ((fields.get('hidden_act') ?? 'silu') !== 'silu') throw fields.refusal('hidden_act', '"silu"');
  if (fields.get('quantization_config') !== undefined) {
    throw fields.refusal('quantization_config', 'none: quantised weights are not supported');
  }
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

function endTokenIds(fields: JsonFields, vocabularySize: number, fallback: number | null): number[] {
  const value = (fields.has('eos_token_id') ? fields.get('eos_token_id') : fallback) ?? [];
  const ids: unknown[] = Array.isArray(value) ? value : [value];
  const valid = ids.every((id) => Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < vocabularySize);
  if (!valid) throw fields.refusal('eos_token_id', `token ids under ${vocabularySize}`);
  return ids as number[];
}

const formatEndTokens = ({ endTokenIds: ids }: ModelConfig): number | number[] | null =>
  ids.length > 1 ? ids : (ids[0] ?? null);
