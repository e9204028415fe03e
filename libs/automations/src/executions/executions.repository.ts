import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AutomationAttempt, AutomationExecution, type ExecutionState } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository } from 'typeorm';

export interface ExecutionFilter {
  state?: ExecutionState;
  since?: Date;
  until?: Date;
}

/** The automation decides anew where it goes: its webhook may have been deleted meanwhile. */
const REDELIVER = `
  UPDATE automation_executions e
     SET state = 'PENDING', reason = NULL, round_attempts = 0, next_attempt_at = $2, finished_at = NULL,
         webhook_id = a.webhook_id, team_id = a.action_team_id
    FROM automations a
   WHERE a.id = e.automation_id AND e.id = $1 AND e.state <> 'PENDING'`;

/** What a loop of automations would have sent stays unsent. */
const RECOVER = `
  UPDATE automation_executions
     SET state = 'PENDING', reason = NULL, round_attempts = 0, next_attempt_at = $4, finished_at = NULL
   WHERE webhook_id = $1 AND state IN ('FAILED', 'SKIPPED') AND created_at >= $2 AND created_at <= $3
     AND reason IS DISTINCT FROM 'too_deep'`;

/** The history of automations, and what brings a part of it back. */
@Injectable()
export class ExecutionsRepository {
  constructor(
    @InjectRepository(AutomationExecution) private readonly executions: Repository<AutomationExecution>,
    @InjectRepository(AutomationAttempt) private readonly attempts: Repository<AutomationAttempt>,
  ) {}

  find(id: string): Promise<AutomationExecution | null> {
    return this.executions.findOneBy({ id });
  }

  findPage(
    automationId: string,
    { state, since, until }: ExecutionFilter,
    query: PageQuery,
  ): Promise<AutomationExecution[]> {
    const list = this.executions
      .createQueryBuilder('execution')
      .where('execution.automationId = :automationId', { automationId });
    if (state) list.andWhere('execution.state = :state', { state });
    if (since) list.andWhere('execution.createdAt >= :since', { since });
    if (until) list.andWhere('execution.createdAt <= :until', { until });
    return findPage(list, query);
  }

  findAttempts(executionId: string, query: PageQuery): Promise<AutomationAttempt[]> {
    const list = this.attempts
      .createQueryBuilder('attempt')
      .where('attempt.executionId = :executionId', { executionId });
    return findPage(list, query, { id: 'id', createdAt: 'startedAt' });
  }

  /** @returns false where it is being delivered already */
  async redeliver(id: string, now: Date): Promise<boolean> {
    const [, affected] = await this.executions.query<[unknown[], number]>(REDELIVER, [id, now]);
    return affected > 0;
  }

  /** @returns how many */
  async recover(webhookId: string, since: Date, until: Date, now: Date): Promise<number> {
    const [, affected] = await this.executions.query<[unknown[], number]>(RECOVER, [webhookId, since, until, now]);
    return affected;
  }
}
