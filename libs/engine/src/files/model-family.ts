import type { LinearModule, ModelFamily } from '../model/model-config.js';
import type { JsonFields } from './json-fields.js';

const ATTENTION_INPUTS: LinearModule[] = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'];
const ATTENTION: LinearModule[] = [...ATTENTION_INPUTS, 'self_attn.o_proj'];
const FEED_FORWARD: LinearModule[] = ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'];

/** What transformers' configuration classes of the families leave to be told apart. */
interface FamilyTraits {
  architecture: string;
  /** Where config.json doesn't say; null is a share of the hidden size. */
  headSize: number | null;
  contextLength: number;
  endTokenId: number | null;
  biases(fields: JsonFields): LinearModule[];
}

export const FAMILIES: Readonly<Record<ModelFamily, FamilyTraits>> = {
  llama: {
    architecture: 'LlamaForCausalLM',
    headSize: null,
    contextLength: 2048,
    endTokenId: 2,
    biases: (fields) => [
      ...(fields.flag('attention_bias', false) ? ATTENTION : []),
      ...(fields.flag('mlp_bias', false) ? FEED_FORWARD : []),
    ],
  },
  qwen2: {
    architecture: 'Qwen2ForCausalLM',
    headSize: null,
    contextLength: 32_768,
    endTokenId: null,
    biases: () => ATTENTION_INPUTS,
  },
  qwen3: {
    architecture: 'Qwen3ForCausalLM',
    headSize: 128,
    contextLength: 32_768,
    endTokenId: null,
    biases: (fields) => (fields.flag('attention_bias', false) ? ATTENTION : []),
  },
};

const NAMES = Object.keys(FAMILIES) as ModelFamily[];
const isFamily = (name: unknown): name is ModelFamily => NAMES.some((family) => family === name);

/** @throws EngineError for a family that the engine doesn't run, naming those that it runs. */
export function familyOf(fields: JsonFields): ModelFamily {
  const architectures = fields.get('architectures');
  const type = fields.get('model_type');
  const family =
    architectures === undefined
      ? type
      : NAMES.find((name) => JSON.stringify(architectures) === JSON.stringify([FAMILIES[name].architecture]));
  if (!isFamily(family)) {
    const known = NAMES.map((name) => FAMILIES[name].architecture).join(', ');
    throw fields.refusal('architectures', `one of ${known}`);
  }
  if ((type ?? family) !== family) throw fields.refusal('model_type', JSON.stringify(family));
  return family;
}
