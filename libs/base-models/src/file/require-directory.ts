import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError } from '@heddle/engine';

/** Users read it: no paths of this machine. */
export async function requireDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new EngineError('bad_model', `there is no directory '${basename(path)}'`);
}
