import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Whether the process still serves but wants nothing new: readiness says so before the listener closes. */
@Injectable()
export class ServingState {
  private begun = false;

  get isDraining(): boolean {
    return this.begun;
  }

  /** Resolves once whoever sends work has had so long to notice. */
  async begin(seconds: number): Promise<void> {
    this.begun = true;
    await pause(seconds * 1000);
  }
}
