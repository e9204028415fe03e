import { createHash } from 'node:crypto';

export interface ManifestFile {
  path: string;
  sha256: string;
  /** A bigint, hence text. */
  size_bytes: string;
}

/**
 * The digest of a version: SHA-256 over its files in order of their paths' bytes, written as `sha256sum` writes them, so
 * that a download can be checked without us. Metadata, aliases and tags don't count.
 */
export function manifestDigest(files: readonly ManifestFile[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files) hash.update(`${sha256}  ${path}\n`);
  return hash.digest('hex');
}
