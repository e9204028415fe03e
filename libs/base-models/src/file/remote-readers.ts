import type { InferenceSource, TinkerSource } from '@heddle/engine';
import type { EntryFields } from './entry-fields.js';

/** Seconds: the first step of a big model is compiled before it is computed. */
const DEFAULT_TIMEOUT = 900;
/** Give vLLM `--max-loras` of as many; its own default is 1. */
const DEFAULT_ADAPTERS = 4;
const NORMALIZATIONS = ['sequence', 'sum'] as const;

/** `engine.tinker` of an entry. */
export function readTinker(fields: EntryFields): TinkerSource {
  fields.allow('url', 'api_key', 'model', 'normalization', 'timeout');
  const url = readUrl(fields);
  const apiKey = fields.text('api_key');
  const model = fields.text('model');
  const normalization = NORMALIZATIONS.find((one) => one === fields.raw('normalization'));
  if (fields.raw('normalization') !== undefined && !normalization) {
    fields.fault('normalization', `must be one of ${NORMALIZATIONS.join(', ')}`);
  }
  const timeout = fields.number('timeout', { min: 1, integer: false }) ?? DEFAULT_TIMEOUT;
  return {
    url,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(model === undefined ? {} : { model }),
    ...(normalization === undefined ? {} : { normalization }),
    timeoutMs: timeout * 1000,
  };
}

/** `inference` of an entry: servers that are alike, each below `openai`. */
export function readInference(fields: EntryFields): { inference?: InferenceSource[] } {
  const items = fields.items('inference');
  if (!items) return {};
  const inference = items.flatMap((item) => {
    item.allow('openai');
    const openai = item.below('openai');
    if (!openai) item.fault('openai', 'is missing');
    return openai ? [readUpstream(openai)] : [];
  });
  return { inference };
}

function readUpstream(fields: EntryFields): InferenceSource {
  fields.allow('url', 'api_key', 'model', 'adapters_path', 'max_adapters', 'timeout');
  const url = readUrl(fields);
  const apiKey = fields.text('api_key');
  const model = fields.text('model');
  const adaptersPath = fields.text('adapters_path');
  const timeout = fields.number('timeout', { min: 1, integer: false }) ?? DEFAULT_TIMEOUT;
  return {
    url,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(model === undefined ? {} : { model }),
    ...(adaptersPath === undefined ? {} : { adaptersPath }),
    maxAdapters: fields.number('max_adapters', { min: 1, integer: true }) ?? DEFAULT_ADAPTERS,
    timeoutMs: timeout * 1000,
  };
}

/** With http or https, and without a user: a key has its own field. */
function readUrl(fields: EntryFields): string {
  if (fields.raw('url') === undefined) fields.fault('url', 'is missing');
  const text = fields.text('url');
  if (text === undefined) return '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) fields.fault('url', 'must be a URL, as in http://gpu-1:8000');
  else if (url.username !== '' || url.password !== '') fields.fault('url', 'must hold no user: api_key is for the key');
  return text;
}
