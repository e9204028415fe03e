import { Injectable } from '@nestjs/common';
import { TooManyArchivesError } from './archives.errors.js';

/** At once, of one process: each has a connection of its own. */
const SLOTS = 4;

@Injectable()
export class ArchiveSlots {
  private taken = 0;

  /** @returns what gives the slot back @throws TooManyArchivesError */
  take(): () => void {
    if (this.taken >= SLOTS) throw new TooManyArchivesError();
    this.taken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.taken--;
      isTaken = false;
    };
  }
}
