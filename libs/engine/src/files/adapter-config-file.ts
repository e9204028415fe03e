import { LINEAR_MODULES, type LinearModule, type ModelConfig } from '../model/model-config.js';
import { adapterKey } from './adapter-tensors.js';
import type { JsonFields } from './json-fields.js';

export interface AdapterHead {
  rank: number;
  /** The update is scaled by alpha / rank. */
  alpha: number;
  /** Name of the base model, null where the adapter doesn't say. */
  baseModel: string | null;
}

/** Fields of PEFT's LoraConfig, beside `use_...`, that change what an adapter computes or add weights to A and B. */
const UNSUPPORTED = [
  'lora_bias',
  'fan_in_fan_out',
  'rank_pattern',
  'alpha_pattern',
  'modules_to_save',
  'layer_replication',
  'trainable_token_indices',
  'target_parameters',
  'alora_invocation_tokens',
  'arrow_config',
  'kasa_config',
  'monteclora_config',
];

/** Ways to start training that leave the base weights as they are; the others (PiSSA, OLoRA, LoftQ...) change them. */
const HARMLESS_STARTS: unknown[] = [true, false, 'gaussian', 'eva', 'orthogonal'];

/**
 * Reads adapter_config.json. Which layers are adapted is not read: the tensors tell.
 * @throws EngineError that names the field which the engine can't honour.
 */
export function parseAdapterConfig(fields: JsonFields): AdapterHead {
  if (fields.get('peft_type') !== 'LORA') throw fields.refusal('peft_type', '"LORA"');
  if ((fields.get('bias') ?? 'none') !== 'none') throw fields.refusal('bias', '"none"');
  const variants = fields.keys().filter((key) => /^use_(?!rslora$)/.test(key));
  for (const key of [...UNSUPPORTED, ...variants]) {
    if (isSet(fields.get(key))) throw fields.refusal(key, 'it unset (unsupported)');
  }
  if (!HARMLESS_STARTS.includes(fields.get('init_lora_weights') ?? true)) {
    throw fields.refusal('init_lora_weights', 'one that leaves the base weights as they are');
  }
  const rank = fields.size('r');
  const alpha = fields.number('lora_alpha');
  const baseModel = fields.get('base_model_name_or_path');
  return {
    rank,
    // Rank-stabilised LoRA scales by alpha / sqrt(rank) (arXiv:2312.03732): the same as a larger alpha.
    alpha: fields.flag('use_rslora', false) ? alpha * Math.sqrt(rank) : alpha,
    baseModel: typeof baseModel === 'string' && baseModel ? baseModel : null,
  };
}

/** What PEFT and vLLM need to load the adapter; `keys` are those of its tensors. */
export function formatAdapterConfig(
  { rank, alpha, baseModel }: AdapterHead,
  config: ModelConfig,
  keys: ReadonlySet<string>,
): Record<string, unknown> {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseModel,
    r: rank,
    lora_alpha: alpha,
    target_modules: targetModules(config, keys),
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    modules_to_save: null,
    rank_pattern: {},
    alpha_pattern: {},
    use_dora: false,
    use_rslora: false,
  };
}

/** Short names where a module is adapted in all layers or in none, else the paths of all. */
function targetModules(config: ModelConfig, keys: ReadonlySet<string>): string[] {
  const layers = [...Array(config.layers).keys()];
  const adapted = (layer: number, module: LinearModule): boolean =>
    keys.has(adapterKey({ layer, module, matrix: 'A' }));
  const present = LINEAR_MODULES.filter((module) => layers.some((layer) => adapted(layer, module)));
  if (present.every((module) => layers.every((layer) => adapted(layer, module)))) {
    return present.map((module) => module.slice(module.indexOf('.') + 1));
  }
  return layers.flatMap((layer) =>
    present.filter((module) => adapted(layer, module)).map((module) => `model.layers.${layer}.${module}`),
  );
}

function isSet(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== false;
}
