import { ACCESS_TOKEN, ARTIFACT_METADATA, PAYLOAD_VARIABLES, type PayloadVariable } from '@heddle/secrets';
import type { Reference } from './template.js';

const VARIABLES: ReadonlySet<string> = new Set(PAYLOAD_VARIABLES);
const METADATA_PREFIX = `${ARTIFACT_METADATA}.`;

const isVariable = (name: string): name is PayloadVariable => VARIABLES.has(name);

/**
 * What `${name}` names.
 * @param secretName name of the webhook's own secret
 * @returns undefined for what nothing is called
 */
export function referenceOf(name: string, secretName: string | null): Reference | undefined {
  if (isVariable(name)) return { kind: 'variable', name };
  if (name === ACCESS_TOKEN) return { kind: 'access-token' };
  if (name === secretName) return { kind: 'secret' };
  const key = name.startsWith(METADATA_PREFIX) ? name.slice(METADATA_PREFIX.length) : '';
  return key === '' ? undefined : { kind: 'metadata', key };
}
