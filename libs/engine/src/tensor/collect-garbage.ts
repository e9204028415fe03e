import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives memories that nobody refers to any more back to the system, now: V8 does not see how large they are, and would
 * leave gigabytes lie until its own small heap is full.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
