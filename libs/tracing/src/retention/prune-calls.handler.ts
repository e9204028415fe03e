import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Env } from '@heddle/config';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import { CallRetentionRepository, type Pruned } from './call-retention.repository.js';

const HOUR_MS = 3_600_000;
/** Batches in one run, about a million calls, so that runs don't pile up. What is left is for the next one. */
const MAX_BATCHES = 1000;

/** Deletes calls that are older than their project keeps them, and those that were deleted long ago, for good. */
@Injectable()
@HandlesJob({ name: 'prune-calls', queues: ['cpu'], every: HOUR_MS })
export class PruneCallsHandler implements JobHandler, OnModuleDestroy {
  private readonly logger = new Logger(PruneCallsHandler.name);
  private stopping = false;

  constructor(
    private readonly retention: CallRetentionRepository,
    private readonly env: Env,
  ) {}

  /** A worker that stops waits for its jobs: this one ends after its batch. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  async handle(): Promise<Pruned> {
    const projects = await this.retention.limitedProjects(this.env.RETENTION_DAYS);
    const tasks = [
      () => this.retention.pruneDeleted(),
      ...projects.map((project) => () => this.retention.pruneOld(project)),
    ];
    const total = await this.inTurns(tasks);
    if (total.calls > 0) this.logger.log(total, 'calls pruned');
    return total;
  }

  /** A batch of each in turn, so that a project with a large backlog doesn't keep all others waiting for hours. */
  private async inTurns(tasks: (() => Promise<Pruned>)[]): Promise<Pruned> {
    const total = { calls: 0, feedback: 0 };
    let batches = 0;
    for (let open = tasks; open.length > 0;) {
      const unfinished: typeof open = [];
      for (const task of open) {
        if (this.stopping || batches === MAX_BATCHES) return total;
        const { calls, feedback } = await task();
        total.calls += calls;
        total.feedback += feedback;
        if (calls === 0) continue;
        batches++;
        unfinished.push(task);
      }
      open = unfinished;
    }
    return total;
  }
}
