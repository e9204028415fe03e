import type { ModelConfig } from '../model/model-config.js';
import type { JsonFields } from './json-fields.js';

/**
 * Attention here is to everything before. Qwen's configurations name a window that few of their models use, and one as
 * long as the context is none.
 * @throws EngineError where some layer would see less.
 */
export function refuseSlidingWindow(fields: JsonFields, config: ModelConfig): void {
  const types = fields.get('layer_types') ?? [];
  const known = ['full_attention', 'sliding_attention'];
  if (!Array.isArray(types) || !types.every((type) => known.includes(type as string))) {
    throw fields.refusal('layer_types', '"full_attention" only');
  }
  const window = windowOf(fields, config);
  const slides = types.length > 0 ? types.includes('sliding_attention') : window !== null;
  if (!slides || (window !== null && window >= config.contextLength)) return;
  if (window === null) throw fields.refusal('layer_types', '"full_attention" only, without use_sliding_window');
  throw fields.refusal('sliding_window', `none below max_position_embeddings ${config.contextLength} (unsupported)`);
}

/** Null where no layer has one, but for what `layer_types` says. */
function windowOf(fields: JsonFields, { family, layers }: ModelConfig): number | null {
  const window = fields.get('sliding_window') === undefined ? null : fields.size('sliding_window');
  if (family === 'llama') return fields.flag('use_sliding_window', true) ? window : null;
  if (!fields.flag('use_sliding_window', false)) return null;
  if (fields.get('layer_types') === undefined && layers <= fields.number('max_window_layers', 28)) return null;
  return fields.has('sliding_window') ? window : 4096;
}
