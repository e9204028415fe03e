import { isUuid } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { readRlSettings } from '../job-settings.reader.js';

export interface RlRequest {
  modelId: string;
  /** JSON text, nulls stripped. */
  config: string;
  /** The client's own name of the request, as it stands in the body. */
  clientJobId: unknown;
}

/** Settings are few and small. */
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_CONFIG_DEPTH = 16;

/** What stands beside the groups in the body of a reinforcement-learning job. @throws ValidationError */
export function readRlRequest(root: JsonNode): RlRequest {
  const config = configOf(root.get('experimental_config'));
  return { modelId: modelIdOf(root.get('model_id')), config, clientJobId: smallValue(root.get('client_job_id')) };
}

function modelIdOf(node: JsonNode | undefined): string {
  const loc = ['body', 'model_id'];
  if (!node || node.kind === 'null') throw ValidationError.at(loc, 'is required', 'missing');
  const id = node.kind === 'string' ? smallValue(node) : undefined;
  if (typeof id === 'string' && isUuid(id)) return id;
  throw ValidationError.at(loc, 'must be a UUID', 'is_uuid', id);
}

/** The value, or that it is too large to be one. */
const smallValue = (node: JsonNode | undefined): unknown => (node && node.byteLength > 2000 ? {} : node?.value());

function configOf(node: JsonNode | undefined): string {
  const loc = ['body', 'experimental_config'];
  if (node && (node.byteLength > MAX_CONFIG_BYTES || node.nesting > MAX_CONFIG_DEPTH)) {
    throw ValidationError.at(
      loc,
      `must have at most ${MAX_CONFIG_BYTES} bytes and ${MAX_CONFIG_DEPTH} levels`,
      'too_large',
    );
  }
  return JSON.stringify(readRlSettings(node?.value(), loc));
}
