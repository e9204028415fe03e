import { type ClaimedJob, HEARTBEAT_EVERY_MS, type TrainingClaimsRepository } from './training-claims.repository.js';

/** Why a job is stopped from outside. */
export type StopReason =
  /** Its user asked for it. */
  | 'cancelled'
  /** It is another worker's, or was deleted. */
  | 'lost'
  /** This process ends. */
  | 'stopping';

/** Says that a job's worker lives, as long as it does, and aborts the job where it may not go on. */
export class JobLease {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private asking = false;

  constructor(
    private readonly job: ClaimedJob,
    private readonly claims: Pick<TrainingClaimsRepository, 'heartbeat'>,
  ) {
    this.timer = setInterval(() => void this.beat(), HEARTBEAT_EVERY_MS);
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
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.asking || this.stopped) return;
    this.asking = true;
    try {
      const state = await this.claims.heartbeat(this.job);
      if (state !== 'running') this.stop(state);
    } catch {
      // The database is away for a moment, or for longer: then the job is another's, and no write of ours counts.
    } finally {
      this.asking = false;
    }
  }
}
