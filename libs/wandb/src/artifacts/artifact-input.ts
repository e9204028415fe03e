import { MAX_TTL_SECONDS } from '@heddle/artifacts';
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
  ttlDurationSeconds?: number | null;
  enableDigestDeduplication?: boolean | null;
}

/** A collection's name or a type's: it stands in refs and URLs. */
export function checkName(name: string | null | undefined, field: string): string {
  if (name && name.length <= MAX_NAME_LENGTH && !/^\.{1,2}$|[/:\p{Cc}\p{Cs}]/u.test(name)) return name;
  const msg = `must have 1 to ${MAX_NAME_LENGTH} printable characters, without slashes and colons`;
  throw ValidationError.at(['variables', 'input', field], msg, 'name', name);
}

const INHERITED = -1;
const NONE = -2;

/** Seconds; -1: what is inherited, here null; -2: for good, here 0. Undefined: nothing is said. */
export function readTtl(seconds: number | null | undefined): number | null | undefined {
  if (seconds === null || seconds === undefined || seconds === 0) return undefined;
  if (seconds === INHERITED) return null;
  if (seconds === NONE) return 0;
  if (Number.isSafeInteger(seconds) && seconds > 0 && seconds <= MAX_TTL_SECONDS) return seconds;
  const msg = `must be -1, -2 or 1 to ${MAX_TTL_SECONDS} seconds`;
  throw ValidationError.at(['variables', 'ttlDurationSeconds'], msg, 'ttl', seconds);
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
