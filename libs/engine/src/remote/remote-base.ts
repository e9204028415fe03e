import { type BaseTexts, loadTexts } from '../text/base-texts.js';
import { parseSamplingDefaults } from '../files/generation-config-file.js';
import type { JsonFields } from '../files/json-fields.js';
import { readJson, readJsonIfThere } from '../files/read-files.js';
import type { BaseModelInfo, BaseModelSource } from '../protocol/engine.js';

/** LoRA rank of new adapters where nobody says: what servers are set up for by default. */
const DEFAULT_RANK = 32;
/** The protocol has no field for it. */
const TINKER_ALPHA = 32;

/** A base model whose weights are elsewhere: only its texts are here. */
export interface RemoteBase {
  info: BaseModelInfo;
  texts: BaseTexts;
  endTokenIds: number[];
}

/**
 * Reads config, tokenizer and template of a Hugging Face directory; of any family, since nothing is computed here.
 * @throws EngineError `bad_model`
 */
export async function describeRemoteBase({ id, directory, lora }: BaseModelSource): Promise<RemoteBase> {
  const fields = await readJson(directory, 'config.json');
  const generation = await readJsonIfThere(directory, 'generation_config.json');
  // What sees pictures, too, keeps the part that reads text below.
  const text = fields.get('vocab_size') === undefined ? fields.nested('text_config') : fields;
  const vocabularySize = text.size('vocab_size');
  const texts = await loadTexts(directory, { vocabularySize });
  const info: BaseModelInfo = {
    id,
    family: String(fields.get('model_type') ?? 'unknown'),
    engine: 'tinker',
    contextLength: text.size('max_position_embeddings'),
    parameters: null,
    vocabularySize,
    sampling: parseSamplingDefaults(generation),
    memoryBytes: 0,
    lora: { rank: lora?.rank ?? DEFAULT_RANK, alpha: TINKER_ALPHA },
    directory,
  };
  return { info, texts, endTokenIds: endTokenIds(generation, text) };
}

function endTokenIds(generation: JsonFields | null, config: JsonFields): number[] {
  const value = generation?.get('eos_token_id') ?? config.get('eos_token_id') ?? [];
  const ids: unknown[] = Array.isArray(value) ? value : [value];
  return ids.filter((id): id is number => Number.isSafeInteger(id));
}
