import { HubFailure } from './hub-failure.js';

/** Aborts what shows no sign of life for so long. */
export class StallTimer {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /** Also aborted with the outer one. */
  readonly signal: AbortSignal;

  constructor(milliseconds: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([this.controller.signal, outer]);
    const stalled = new HubFailure(`the hub sent nothing for ${milliseconds / 1000} s`, 'soon');
    this.timer = setTimeout(() => this.controller.abort(stalled), milliseconds);
  }

  /** Why it was aborted, by this timer or from outside. */
  get reason(): unknown {
    return this.signal.aborted ? this.signal.reason : undefined;
  }

  touch(): void {
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
