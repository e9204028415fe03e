import { join } from 'node:path';
import { writeJson } from '../../files/durable-write.js';
import { readJsonIfThere } from '../../files/read-files.js';
import { EngineError } from '../../protocol/engine.errors.js';

const FILE = 'remote.json';

/** Where the weights of an adapter with its optimiser are kept, beside the files that are here. */
export interface RemoteAdapter {
  /** Host and port of the server. */
  service: string;
  /** Path of weights and optimiser there. */
  weights: string;
  /** Path of the weights to sample from; null where none were made. */
  sampler: string | null;
  rank: number;
}

export const writeRemoteAdapter = (directory: string, adapter: RemoteAdapter): Promise<void> =>
  writeJson(join(directory, FILE), adapter);

/** @throws EngineError for an adapter that this server doesn't have: weights can't be brought to it. */
export async function readRemoteAdapter(directory: string, service: string): Promise<RemoteAdapter> {
  const fields = await readJsonIfThere(directory, FILE);
  if (!fields) {
    throw new EngineError('invalid_request', `its checkpoint was not trained on ${service}, which can't take it over`);
  }
  const [host, weights, sampler] = ['service', 'weights', 'sampler'].map((key) => fields.get(key) ?? null);
  if (typeof host !== 'string' || typeof weights !== 'string') {
    throw new EngineError('bad_model', `${FILE} doesn't say where the weights are`);
  }
  if (host !== service) {
    throw new EngineError(
      'invalid_request',
      `its checkpoint is on ${host}, and this base model is trained on ${service}`,
    );
  }
  return { service: host, weights, sampler: typeof sampler === 'string' ? sampler : null, rank: fields.size('rank') };
}
