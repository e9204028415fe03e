import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import { CallRollupsRepository } from './call-rollups.repository.js';

const EVERY_MS = 5000;
/** A minute that calls are written to all the time is summed up once, when it has come to rest. */
const SETTLED_SECONDS = 3;
/** So that one run doesn't keep other jobs waiting: what is left is for the next. */
const MAX_RUN_MS = 30_000;

/** Sums up the calls of minutes that have changed, before somebody asks. */
@Injectable()
@HandlesJob({ name: 'refresh-call-rollups', queues: ['cpu'], every: EVERY_MS })
export class RefreshCallRollupsHandler implements JobHandler, OnModuleDestroy {
  private stopping = false;

  constructor(private readonly rollups: CallRollupsRepository) {}

  /** A worker that stops waits for its jobs: this one ends after its batch. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** A batch of each project in turn. */
  async handle(): Promise<void> {
    const end = performance.now() + MAX_RUN_MS;
    let open = await this.rollups.settledProjects(SETTLED_SECONDS);
    while (open.length > 0) {
      const unfinished: number[] = [];
      for (const project of open) {
        if (this.stopping || performance.now() > end) return;
        if ((await this.rollups.refresh(project, SETTLED_SECONDS)) > 0) unfinished.push(project);
      }
      open = unfinished;
    }
  }
}
