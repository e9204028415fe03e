import { constants, open, rename, rm } from 'node:fs/promises';
import { isIntact } from './checksum.js';
import type { HubClient, HubFile } from './hub-client.js';
import { HubFailure } from './hub-failure.js';
import type { ModelFolder } from './model-folder.js';

/** From where, to where. */
export interface Transfer {
  client: HubClient;
  folder: ModelFolder;
  commit: string;
  signal: AbortSignal;
}

/**
 * Fetches what is missing of one file. It has another name until it is whole, right and on the disk.
 * @param onBytes how many bytes of it are there by now
 */
export async function fetchFile(transfer: Transfer, file: HubFile, onBytes: (there: number) => void): Promise<void> {
  const { folder } = transfer;
  const part = folder.partOf(file);
  await fetchRest(transfer, file, part, onBytes);
  if (!(await isIntact(part, file))) {
    await rm(part, { force: true });
    throw new HubFailure(`${file.name} came with a wrong checksum`, 'twice');
  }
  await rename(part, folder.fileOf(file.name));
}

async function fetchRest(
  { client, folder, commit, signal }: Transfer,
  { name, size }: HubFile,
  part: string,
  onBytes: (there: number) => void,
): Promise<void> {
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT);
  try {
    let there = (await handle.stat()).size;
    if (there > size) await handle.truncate((there = 0));
    onBytes(there);
    if (there < size) {
      for await (const chunk of client.read(folder.id, commit, name, there, signal)) {
        signal.throwIfAborted();
        if (there + chunk.length > size) throw new HubFailure(`${name} is longer than the hub said`, 'twice');
        // By position: two processes that take each other for dead write the same bytes to the same places.
        await handle.writev([chunk], there);
        there += chunk.length;
        onBytes(there);
      }
      if (there < size) throw new HubFailure(`the connection ended in the middle of ${name}`, 'soon');
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
