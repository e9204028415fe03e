import { fileURLToPath } from 'node:url';

/**
 * A file that the build makes or copies, by its path below `dist/libs/engine`. Compiled code lies beside it; under Jest,
 * which runs the sources, it is the one of the last build.
 */
export function builtFile(path: string): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const root = fromSource ? '../../../../dist/libs/engine/' : '../../';
  return fileURLToPath(new URL(root + path, import.meta.url));
}
