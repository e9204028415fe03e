import { freeBytes } from './free-bytes.js';

/** Room for one file. */
export interface PromisedRoom {
  /** So much of it lies on the disk now. */
  written: (bytes: number) => void;
  /** Gives back what was not written. */
  end: () => void;
}

/** The room on a folder's disk, but for a reserve. What one writer was promised is not promised to another meanwhile. */
export class DiskRoom {
  private promised = 0;

  constructor(
    private readonly folder: string,
    private readonly reserveBytes: number,
    private readonly free: (folder: string) => Promise<number> = freeBytes,
  ) {}

  /** @returns null where there is no room for so much. A file system that can't tell is thought to have it. */
  async promise(bytes: number): Promise<PromisedRoom | null> {
    // Counted before the disk is asked: of two writers at once, both know of each other.
    let left = bytes;
    this.promised += bytes;
    const take = (part: number): void => {
      left -= part;
      this.promised -= part;
    };
    const room = {
      written: (written: number) => take(Math.min(written, left)),
      end: () => take(left),
    };
    const free = await this.free(this.folder).catch(() => Infinity);
    if (free - this.promised >= this.reserveBytes) return room;
    room.end();
    return null;
  }
}
