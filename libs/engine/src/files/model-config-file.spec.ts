import fc from 'fast-check';
import type { ModelConfig } from '../model/model-config.js';
import { JsonFields } from './json-fields.js';
import { formatGenerationConfig, formatModelConfig, parseModelConfig } from './model-config-file.js';

const tiny = {
  architectures: ['LlamaForCausalLM'],
  vocab_size: 64,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 48,
  eos_token_id: 3,
};

const parse = (changes: object, generation?: Record<string, unknown>): ModelConfig =>
  parseModelConfig(
    new JsonFields('config.json', { ...tiny, ...changes }),
    generation ? new JsonFields('generation_config.json', generation) : null,
  );

describe('config.json', () => {
  it('has the defaults of transformers', () => {
    expect(parse({})).toEqual({
      vocabularySize: 64,
      hiddenSize: 32,
      layers: 2,
      heads: 4,
      keyValueHeads: 4,
      headSize: 8,
      feedForwardSize: 48,
      contextLength: 2048,
      normEpsilon: 1e-6,
      ropeTheta: 10_000,
      tiedHead: false,
      endTokenIds: [3],
    });
    expect(parse({ eos_token_id: undefined, head_dim: null, rope_scaling: null })).toMatchObject({ headSize: 8 });
  });

  it.each([
    [{ num_key_value_heads: 2 }, { keyValueHeads: 2 }],
    [{ head_dim: 16 }, { headSize: 16 }],
    [{ tie_word_embeddings: true }, { tiedHead: true }],
    [{ rope_theta: 5e5 }, { ropeTheta: 5e5 }],
    [{ rope_parameters: { rope_theta: 5e5, rope_type: 'default' } }, { ropeTheta: 5e5 }],
    [{ rope_parameters: { rope_type: 'default' }, rope_theta: 7 }, { ropeTheta: 7 }],
    [{ rope_scaling: { type: 'default' }, rope_theta: 7 }, { ropeTheta: 7 }],
    [{ eos_token_id: [3, 5] }, { endTokenIds: [3, 5] }],
    [{ eos_token_id: null }, { endTokenIds: [] }],
    [{ architectures: null, model_type: 'llama' }, { layers: 2 }],
    [{ attention_bias: false, sliding_window: null, quantization_config: null }, { layers: 2 }],
  ])('with %j means %j', (changes, expected) => {
    expect(parse(changes)).toMatchObject(expected);
  });

  it('yields to the end tokens of generation_config.json', () => {
    expect(parse({}, { eos_token_id: [7, 8] }).endTokenIds).toEqual([7, 8]);
    expect(parse({}, { eos_token_id: null }).endTokenIds).toEqual([3]);
    expect(() => parse({}, { eos_token_id: 64 })).toThrow(
      'generation_config.json: eos_token_id is 64, expected token ids under 64',
    );
  });

  it.each([
    [
      { architectures: ['MistralForCausalLM'] },
      'architectures is ["MistralForCausalLM"], expected ["LlamaForCausalLM"]',
    ],
    [{ architectures: undefined, model_type: 'qwen2' }, 'architectures is missing, expected ["LlamaForCausalLM"]'],
    [{ model_type: 'mistral' }, 'model_type is "mistral", expected "llama"'],
    [{ hidden_act: 'gelu' }, 'hidden_act is "gelu", expected "silu"'],
    [{ attention_bias: true }, 'attention_bias is true, expected none (unsupported)'],
    [{ mlp_bias: true }, 'mlp_bias is true, expected none (unsupported)'],
    [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}, expected none (unsupported)'],
    [{ sliding_window: 4096 }, 'sliding_window is 4096, expected none (unsupported)'],
    [{ layer_types: ['sliding_attention'] }, 'layer_types is ["sliding_attention"], expected "full_attention" only'],
    [{ rope_scaling: { type: 'linear', factor: 2 } }, 'rope_scaling: type is "linear", expected "default"'],
    [{ rope_scaling: { rope_type: 'llama3' } }, 'rope_scaling: rope_type is "llama3", expected "default"'],
    [{ rope_scaling: {}, rope_parameters: { rope_type: 'yarn' } }, 'rope_parameters: rope_type is "yarn"'],
    [{ rope_parameters: { full_attention: {} } }, 'rope_parameters: full_attention is {}, expected one RoPE'],
    [{ rope_parameters: { partial_rotary_factor: 0.5 } }, 'rope_parameters: partial_rotary_factor is 0.5, expected 1'],
    [{ rope_theta: 0 }, 'rope_theta is 0, expected a positive number'],
    [{ rms_norm_eps: '1e-6' }, 'rms_norm_eps is "1e-6", expected a number'],
    [{ rms_norm_eps: 0 }, 'rms_norm_eps is 0, expected a positive number'],
    [{ hidden_size: undefined }, 'hidden_size is missing, expected a positive integer'],
    [{ num_hidden_layers: 1.5 }, 'num_hidden_layers is 1.5, expected a positive integer'],
    [{ vocab_size: -1 }, 'vocab_size is -1, expected a positive integer'],
    [{ num_attention_heads: 3 }, 'hidden_size is 32, expected a multiple of num_attention_heads 3'],
    [{ num_key_value_heads: 3 }, 'num_attention_heads is 4, expected a multiple of num_key_value_heads 3'],
    [{ hidden_size: 34, num_attention_heads: 2, head_dim: 8 }, 'hidden_size is 34, expected a multiple of 4'],
    [{ head_dim: 12 }, 'head_dim is 12, expected a multiple of 8'],
    [{ intermediate_size: 50 }, 'intermediate_size is 50, expected a multiple of 4'],
    [{ tie_word_embeddings: 'no' }, 'tie_word_embeddings is "no", expected true or false'],
    [{ eos_token_id: 64 }, 'eos_token_id is 64, expected token ids under 64'],
  ])('with %j is refused', (changes, message) => {
    expect(() => parse(changes)).toThrow(`config.json: ${message}`);
  });

  it('is read as it was written', () => {
    const even = fc.integer({ min: 1, max: 64 });
    const configs = fc
      .tuple(even, even, even, fc.boolean(), fc.uniqueArray(fc.nat(9), { maxLength: 3 }))
      .map(([a, b, c, tiedHead, endTokenIds]): ModelConfig => ({
        vocabularySize: 9 + a,
        hiddenSize: 4 * a * b,
        layers: c,
        heads: a,
        keyValueHeads: 1,
        headSize: 8 * c,
        feedForwardSize: 4 * b,
        contextLength: 16 * c,
        normEpsilon: 1e-5,
        ropeTheta: 1000 * a,
        tiedHead,
        endTokenIds,
      }));
    fc.assert(
      fc.property(configs, (config) => {
        const file = JSON.parse(JSON.stringify(formatModelConfig(config, 'F16'))) as Record<string, unknown>;
        const generation = new JsonFields('generation_config.json', formatGenerationConfig(config));
        expect(parseModelConfig(new JsonFields('config.json', file), null)).toEqual(config);
        expect(parseModelConfig(new JsonFields('config.json', file), generation)).toEqual(config);
      }),
    );
  });
});
