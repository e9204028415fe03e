import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

/** Keeps a log that others append to at a size: what was written becomes `<file>.1`, that `<file>.2`, and so on. */
export class LogFile {
  constructor(
    private readonly path: string,
    private readonly limits: { bytes: number; files: number },
  ) {}

  /** The writers go on with the same file, from its beginning: they hold it open, and hear nothing of this. */
  rotate(): void {
    if ((statSync(this.path, { throwIfNoEntry: false })?.size ?? 0) < this.limits.bytes) return;
    for (let n = this.limits.files - 1; n >= 1; n--) {
      if (statSync(`${this.path}.${n}`, { throwIfNoEntry: false }))
        renameSync(`${this.path}.${n}`, `${this.path}.${n + 1}`);
    }
    copyFileSync(this.path, `${this.path}.1`);
    truncateSync(this.path);
  }
}
