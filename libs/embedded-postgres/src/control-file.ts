import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** After an 8-byte system identifier and two 4-byte version numbers, in the byte order of the machine. */
const STATE_OFFSET = 16;
const DB_SHUTDOWNED = 1;

/** Whether the server of this data directory was shut down, so that it will start without crash recovery. */
export async function wasShutDown(dataDir: string): Promise<boolean> {
  return isShutDown(await readFile(join(dataDir, 'global', 'pg_control')));
}

export function isShutDown(control: Buffer): boolean {
  return control.length >= STATE_OFFSET + 4 && control.readInt32LE(STATE_OFFSET) === DB_SHUTDOWNED;
}
