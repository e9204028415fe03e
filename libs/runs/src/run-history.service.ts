import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { HistoryQuery, SampledHistoryQuery } from './dto/history.dto.js';
import {
  type HistoryStep,
  type MetricSummary,
  RunHistoryRepository,
  type SampledValue,
} from './run-history.repository.js';
import { type RunName, RunsService } from './runs.service.js';

/** What runs logged, for those who may read the project. */
@Injectable()
export class RunHistoryService {
  constructor(
    private readonly runs: RunsService,
    private readonly history: RunHistoryRepository,
  ) {}

  async list(caller: Principal, name: RunName, query: HistoryQuery): Promise<HistoryStep[]> {
    const { id } = await this.runs.get(caller, name);
    const { metric: metrics, since_step: sinceStep, ...page } = query;
    return this.history.findPage(id, { ...page, metrics, sinceStep });
  }

  async sample(caller: Principal, name: RunName, query: SampledHistoryQuery): Promise<SampledValue[]> {
    const { id } = await this.runs.get(caller, name);
    return this.history.sample(id, { metrics: query.metric, sinceStep: query.since_step }, query.points);
  }

  async summarize(caller: Principal, name: RunName): Promise<MetricSummary[]> {
    return this.history.summarize((await this.runs.get(caller, name)).id);
  }
}
