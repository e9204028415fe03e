import { join } from 'node:path';
import type { Env } from '@heddle/config';
import type { BaseModelEntry } from '../file/base-model-entry.js';
import { HubClient } from './hub-client.js';
import { ModelFolder } from './model-folder.js';

/** Milliseconds without a byte after which the hub counts as silent. */
const STALL_MS = 60_000;

/** The hub of the settings; null where it must not be asked. */
export function hubOf({ HF_ENDPOINT: endpoint, HF_TOKEN: token, isHubOffline }: Env): HubClient | null {
  return isHubOffline ? null : new HubClient({ endpoint, token, stallMs: STALL_MS });
}

/** Where a model of the hub is kept. */
export const folderOf = ({ DATA_DIR }: Env, { id, revision }: Pick<BaseModelEntry, 'id' | 'revision'>): ModelFolder =>
  new ModelFolder(join(DATA_DIR, 'base-models'), id, revision);
