import { resolve } from 'node:path';
import { type BaseModelEntry, DEFAULT_REVISION } from './base-model-entry.js';
import type { EntryFields } from './entry-fields.js';
import { readInference, readTinker } from './remote-readers.js';

/** As the hub names models: an owner, where there is one, and a name. */
const HUB_ID = /^([\w-][\w.-]*\/)?[\w-][\w.-]*$/;
const ID = /^[\w-][\w.:@-]*(\/[\w-][\w.:@-]*)*$/;
const REVISION = /^\w[\w.-]*(\/\w[\w.-]*)*$/;
const MAX_LENGTH = 128;
const HUB = 'hub';
const EMBEDDED = 'embedded';

/** @param folder that relative directories start from */
export function readEntry(fields: EntryFields, folder: string): BaseModelEntry {
  fields.allow('id', 'source', 'revision', 'engine', 'inference', 'lora');
  const source = fields.text('source');
  if (fields.raw('source') === undefined) fields.fault('source', `is missing: '${HUB}', or a directory`);
  const isFromHub = source === HUB;
  return {
    id: readId(fields, isFromHub),
    directory: source === undefined || isFromHub ? null : resolve(folder, source),
    revision: readRevision(fields, source),
    lora: readLora(fields),
    ...readEngine(fields),
    ...readInference(fields),
  };
}

/** Also safe as a path: see ModelFolder. */
export const isHubId = (id: string): boolean =>
  HUB_ID.test(id) && id.length <= MAX_LENGTH && !id.includes('--') && !id.includes('..');

function readId(fields: EntryFields, isFromHub: boolean): string {
  const id = fields.text('id');
  if (fields.raw('id') === undefined) fields.fault('id', 'is missing');
  if (id === undefined) return '';
  if (isFromHub && !isHubId(id)) {
    fields.fault('id', 'must be the name of a model on the hub, as in Qwen/Qwen3-0.6B');
  } else if (!ID.test(id) || id.length > MAX_LENGTH) {
    fields.fault('id', `must be letters, digits and -_.:@/, at most ${MAX_LENGTH}`);
  }
  return id;
}

function readRevision(fields: EntryFields, source: string | undefined): string {
  const revision = fields.text('revision');
  if (revision === undefined) return DEFAULT_REVISION;
  if (source !== undefined && source !== HUB) fields.fault('revision', `is only for 'source: ${HUB}'`);
  if (!REVISION.test(revision) || revision.includes('..')) fields.fault('revision', 'must be a branch, tag or commit');
  return revision;
}

function readLora(fields: EntryFields): BaseModelEntry['lora'] {
  const lora = fields.below('lora');
  if (!lora) return {};
  lora.allow('rank', 'alpha');
  const rank = lora.number('rank', { min: 1, integer: true });
  const alpha = lora.number('alpha', { min: 1, integer: false });
  return { ...(rank === undefined ? {} : { rank }), ...(alpha === undefined ? {} : { alpha }) };
}

function readEngine(fields: EntryFields): Pick<BaseModelEntry, 'trainer'> {
  const engine = fields.raw('engine');
  if (engine === undefined || engine === EMBEDDED) return {};
  if (typeof engine !== 'object') {
    fields.fault('engine', `must be ${EMBEDDED}, or a map with tinker`);
    return {};
  }
  const below = fields.below('engine')!;
  below.allow('tinker');
  const tinker = below.below('tinker');
  return tinker ? { trainer: readTinker(tinker) } : {};
}
