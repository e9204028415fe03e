import { checkFilePath } from '@heddle/artifacts';
import { ValidationError } from '@heddle/http';
import { readLenient } from '@heddle/runs';

/** Largest manifest, in MiB: some 300,000 files. */
export const MAX_MANIFEST_MIB = 128;

/** One file of a manifest, or with `ref` what lies elsewhere. */
export interface ManifestEntry {
  /** Base64 of the MD5; of a reference, whatever tells its states apart. */
  digest: string;
  size?: number;
  ref?: string;
  /** The version whose upload it was. */
  birthArtifactID?: string;
  [other: string]: unknown;
}

/** As clients write and read it. */
export interface Manifest {
  contents: Record<string, ManifestEntry>;
  [other: string]: unknown;
}

export const FORM = {
  version: 1,
  storagePolicy: 'wandb-storage-policy-v1',
  storagePolicyConfig: { storageLayout: 'V2' },
} as const;

const LOC = ['body', 'contents'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a manifest without what it tells of the client's own disk. @throws ValidationError that names the entry */
export function readManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = readLenient(text);
  } catch {
    json = undefined;
  }
  if (!isRecord(json) || !isRecord(json['contents'])) {
    throw ValidationError.at(LOC, 'A manifest is a JSON object with contents', 'manifest');
  }
  const contents = Object.entries(json['contents']).map(([path, entry]): [string, ManifestEntry] => {
    checkFilePath(path, [...LOC, path]);
    if (!isRecord(entry) || typeof entry['digest'] !== 'string') {
      throw ValidationError.at([...LOC, path], 'has no digest', 'manifest');
    }
    const { local_path: _path, ...kept } = entry;
    return [path, kept as ManifestEntry];
  });
  return { ...json, contents: Object.fromEntries(contents) };
}

export const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
export const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
