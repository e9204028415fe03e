import { ValidationError } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { readLenient } from '@heddle/runs';

export interface CreateArtifactInput {
  entityName?: string | null;
  projectName: string;
  runName?: string | null;
  artifactTypeName: string;
  artifactCollectionName?: string | null;
  artifactCollectionNames?: string[] | null;
  clientID?: string | null;
  sequenceClientID?: string | null;
  digest: string;
  description?: string | null;
  metadata?: string | null;
  aliases?: { alias: string }[] | null;
  tags?: { tagName: string }[] | null;
  historyStep?: number | null;
  distributedID?: string | null;
  enableDigestDeduplication?: boolean | null;
}

/** A collection's name or a type's: it stands in refs and URLs. */
export function checkName(name: string | null | undefined, field: string): string {
  if (name && name.length <= MAX_NAME_LENGTH && !/^\.{1,2}$|[/:\p{Cc}\p{Cs}]/u.test(name)) return name;
  const msg = `must have 1 to ${MAX_NAME_LENGTH} printable characters, without slashes and colons`;
  throw ValidationError.at(['variables', 'input', field], msg, 'name', name);
}

/** Clients send an object as JSON text. */
export function readMetadata(text: string | null | undefined): Record<string, unknown> | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  let value: unknown;
  try {
    value = readLenient(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && !Array.isArray(value)) return (value ?? {}) as Record<string, unknown>;
  throw ValidationError.at(['variables', 'input', 'metadata'], 'must be a JSON object', 'json_object');
}
