import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ModelRef } from '@heddle/models';
import { RunWriter } from '@heddle/runs';
import type { DataSource } from 'typeorm';
import { readMetricLogging } from '../jobs/sft/metric-logging.js';
import { runOf } from './run-of.js';
import type { ClaimedJob } from './training-claims.repository.js';
import type { NewEvent } from './training-progress.repository.js';

const PREFIX = 'sft/';

/**
 * While a fine-tuning job with `metric_logging` runs, the model's run says how far it is, and how well it does:
 * `sft/gradient_step`, `sft/loss`, ... of the newest gradient step, all at the step of the checkpoint that it will make.
 */
@Injectable()
export class SftMetricLogService {
  constructor(
    private readonly runs: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async note(job: ClaimedJob, { model, project }: ModelRef, events: readonly NewEvent[]): Promise<void> {
    if (job.kind !== 'sft') return;
    const logging = readMetricLogging(JSON.parse(job.config) as Record<string, unknown>, []);
    const newest = events.findLast(({ type }) => type === 'gradient_step');
    if (!logging || !newest) return;
    const named = Object.entries({ gradient_step: newest.position, ...newest.data });
    const metrics = Object.fromEntries(named.map(([name, value]) => [PREFIX + name, value as number]));
    const actor = { userId: job.createdById, username: job.createdBy };
    await this.dataSource.transaction(async (manager) => {
      const runId = await runOf(manager, model.id);
      if (runId === null) return;
      await this.runs.logMetrics(manager, actor, project, runId, [{ step: logging.step ?? model.nextStep, metrics }]);
    });
  }
}
