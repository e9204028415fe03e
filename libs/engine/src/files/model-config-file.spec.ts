import fc from 'fast-check';
import { LINEAR_MODULES, type ModelConfig } from '../model/model-config.js';
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

const llama3 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};
const scaling = { type: 'llama3', factor: 8, lowFactor: 1, highFactor: 4 };

const parse = (changes: object, generation?: Record<string, unknown>): ModelConfig =>
  parseModelConfig(
    new JsonFields('config.json', { ...tiny, ...changes }),
    generation ? new JsonFields('generation_config.json', generation) : null,
  );

describe('config.json', () => {
  it('has the defaults of transformers', () => {
    expect(parse({})).toEqual({
      family: 'llama',
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
      ropeScaling: null,
      biases: [],
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
    [{ architectures: null, model_type: 'llama' }, { family: 'llama' }],
    [{ attention_bias: false, sliding_window: null, quantization_config: null }, { biases: [] }],
    [{ attention_bias: true }, { biases: LINEAR_MODULES.slice(0, 4) }],
    [{ mlp_bias: true }, { biases: LINEAR_MODULES.slice(4) }],
    [{ sliding_window: 2048 }, { contextLength: 2048 }],
    [{ sliding_window: 99, use_sliding_window: false }, { contextLength: 2048 }],
    [{ rope_scaling: { type: 'linear', factor: 2 } }, { ropeScaling: { type: 'linear', factor: 2 } }],
    [{ rope_parameters: { rope_type: 'linear', factor: 2.5 } }, { ropeScaling: { type: 'linear', factor: 2.5 } }],
    [
      { rope_scaling: llama3, rope_theta: 5e5 },
      { ropeTheta: 5e5, ropeScaling: { ...scaling, originalContext: 8192 } },
    ],
    [
      { rope_parameters: { ...llama3, rope_theta: 5e5, original_max_position_embeddings: undefined } },
      { ropeTheta: 5e5, ropeScaling: { ...scaling, originalContext: 2048 } },
    ],
    [
      { rope_scaling: llama3, original_max_position_embeddings: 512 },
      { ropeScaling: { ...scaling, originalContext: 512 } },
    ],
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
      'architectures is ["MistralForCausalLM"], expected one of LlamaForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM',
    ],
    [{ architectures: undefined, model_type: 'gemma' }, 'architectures is missing, expected one of LlamaForCausalLM'],
    [{ architectures: ['LlamaForCausalLM', 'Qwen2ForCausalLM'] }, 'architectures is ["LlamaForCausalLM","Qwen2'],
    [{ model_type: 'mistral' }, 'model_type is "mistral", expected "llama"'],
    [{ hidden_act: 'gelu' }, 'hidden_act is "gelu", expected "silu"'],
    [{ attention_bias: 'yes' }, 'attention_bias is "yes", expected true or false'],
    [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}, expected none: quantised weights'],
    [{ sliding_window: 1024 }, 'sliding_window is 1024, expected none below max_position_embeddings 2048'],
    [{ layer_types: ['sliding_attention'] }, 'layer_types is ["sliding_attention"], expected "full_attention" only'],
    [{ layer_types: ['linear_attention'] }, 'layer_types is ["linear_attention"], expected "full_attention" only'],
    [{ rope_scaling: { type: 'dynamic', factor: 2 } }, 'rope_scaling: type is "dynamic", expected "default", "linear"'],
    [{ rope_scaling: { type: 'linear' } }, 'rope_scaling: factor is missing, expected a number'],
    [{ rope_scaling: { ...llama3, factor: 0 } }, 'rope_scaling: factor is 0, expected a positive number'],
    [{ rope_scaling: { ...llama3, high_freq_factor: 1 } }, 'rope_scaling: high_freq_factor is 1, expected more than'],
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

  describe('of Qwen', () => {
    const qwen2 = { architectures: ['Qwen2ForCausalLM'], model_type: 'qwen2', eos_token_id: undefined };
    const qwen3 = { architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3', eos_token_id: undefined };
    const window = { sliding_window: 512, max_window_layers: 1 };

    it('has the defaults of its own', () => {
      const biases = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'];
      expect(parse(qwen2)).toMatchObject({
        family: 'qwen2',
        contextLength: 32_768,
        headSize: 8,
        endTokenIds: [],
        biases,
      });
      expect(parse({ ...qwen3, hidden_size: 36, num_attention_heads: 8 })).toMatchObject({
        family: 'qwen3',
        contextLength: 32_768,
        headSize: 128,
        biases: [],
      });
      expect(parse({ ...qwen3, attention_bias: true }).biases).toEqual(LINEAR_MODULES.slice(0, 4));
    });

    it.each([
      window,
      { ...window, use_sliding_window: false, layer_types: ['full_attention', 'full_attention'] },
      { use_sliding_window: true, sliding_window: 512 },
      { ...window, use_sliding_window: true, max_window_layers: 2 },
      { ...window, use_sliding_window: true, sliding_window: null },
      { ...window, use_sliding_window: true, max_position_embeddings: 512 },
      { ...window, use_sliding_window: true, layer_types: ['full_attention', 'full_attention'] },
    ])('may name a window that no layer uses: %j', (changes) => {
      expect(parse({ ...qwen2, ...changes }).family).toBe('qwen2');
      expect(parse({ ...qwen3, ...changes }).family).toBe('qwen3');
    });

    it.each([
      [
        { ...window, use_sliding_window: true },
        'sliding_window is 512, expected none below max_position_embeddings 32768',
      ],
      [{ use_sliding_window: true, max_window_layers: 0 }, 'sliding_window is missing, expected none below'],
      [{ use_sliding_window: true, layer_types: ['full_attention', 'sliding_attention'] }, 'sliding_window is missing'],
      [
        { layer_types: ['full_attention', 'sliding_attention'] },
        'layer_types is ["full_attention","sliding_attention"]',
      ],
      [{ model_type: 'llama' }, 'model_type is "llama", expected "qwen'],
    ])('with %j is refused', (changes, message) => {
      expect(() => parse({ ...qwen2, ...changes })).toThrow(`config.json: ${message}`);
      expect(() => parse({ ...qwen3, ...changes })).toThrow(`config.json: ${message}`);
    });
  });

  it('is read as it was written', () => {
    const even = fc.integer({ min: 1, max: 64 });
    const kinds = fc.constantFrom<Pick<ModelConfig, 'family' | 'biases'>>(
      { family: 'llama', biases: [] },
      { family: 'llama', biases: LINEAR_MODULES },
      { family: 'qwen2', biases: LINEAR_MODULES.slice(0, 3) },
      { family: 'qwen3', biases: LINEAR_MODULES.slice(0, 4) },
    );
    const scalings = fc.constantFrom<ModelConfig['ropeScaling']>(
      null,
      { type: 'linear', factor: 2 },
      { type: 'llama3', factor: 8, lowFactor: 1, highFactor: 4, originalContext: 64 },
    );
    const configs = fc
      .tuple(even, even, even, fc.boolean(), fc.uniqueArray(fc.nat(9), { maxLength: 3 }), kinds, scalings)
      .map(([a, b, c, tiedHead, endTokenIds, kind, ropeScaling]): ModelConfig => ({
        ...kind,
        ropeScaling,
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
