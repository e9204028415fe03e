import { type ClaimedJob, HEARTBEAT_EVERY_MS, type TrainingClaimsRepository } from './training-claims.repository.js';

/** Why a job is stopped from outside. */
export type StopReason =
  /** Its user asked for it. */
  | 'cancelled'
  /** It is another worker's, or was deleted. */
  | 'lost'
  /** This process ends. */
  | 'stopping';

/** While the database is away it is asked so often: who comes back in time keeps the job. */
const ASK_AGAIN_MS = 100;

/** Says that a job's worker lives, as long as it does, and aborts the job where it may not go on. */
export class JobLease {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly job: ClaimedJob,
    private readonly claims: Pick<TrainingClaimsRepository, 'heartbeat'>,
  ) {
    this.next(HEARTBEAT_EVERY_MS);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Null while it may go on. */
  get stopped(): StopReason | null {
    return this.signal.aborted ? (this.signal.reason as StopReason) : null;
  }

  stop(reason: StopReason): void {
    this.controller.abort(reason);
  }

  end(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private next(afterMs: number): void {
    this.timer = setTimeout(() => void this.beat(), afterMs);
  }

  private async beat(): Promise<void> {
    if (this.stopped) return;
    let wait = HEARTBEAT_EVERY_MS;
    try {
      const state = await this.claims.heartbeat(this.job);
      if (state !== 'running') this.stop(state);
    } catch {
      // The database is away for a moment, or for longer: then the job may be another's, and no write of ours counts.
      wait = ASK_AGAIN_MS;
    }
    if (this.timer && !this.stopped) this.next(wait);
  }
}
