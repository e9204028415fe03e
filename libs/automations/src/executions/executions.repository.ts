import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AutomationAttempt, AutomationExecution, type ExecutionState } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { WebhooksRepository } from '@heddle/webhooks';
import type { Repository } from 'typeorm';

export interface ExecutionFilter {
  state?: ExecutionState;
  since?: Date;
  until?: Date;
}

const AGAIN = `state = 'PENDING', reason = NULL, round_attempts = 0, finished_at = NULL`;

/** What is due is on its way already, unless its webhook is paused. */
const CAN_WAIT_NO_LONGER = `(e.next_attempt_at > $2 OR w.paused_until > $2)`;

/**
 * The automation decides anew where it goes: its webhook may have been deleted meanwhile. It goes before all that is
 * due, since the first one that fails may pause the webhook again.
 */
const REDELIVER = `
  UPDATE automation_executions e
     SET ${AGAIN}, webhook_id = w.id, team_id = w.team_id,
         next_attempt_at = least($2::timestamptz, (SELECT min(d.next_attempt_at) FROM automation_executions d
                                  WHERE d.webhook_id = w.id AND d.state = 'PENDING') - interval '1 millisecond')
    FROM automations a JOIN webhooks w ON w.id = a.webhook_id
   WHERE a.id = e.automation_id AND e.id = $1 AND (e.state <> 'PENDING' OR ${CAN_WAIT_NO_LONGER})
  RETURNING w.id`;

/** What a loop of automations would have sent stays unsent. */
const RECOVER = `
  UPDATE automation_executions e SET ${AGAIN}, next_attempt_at = $2
    FROM webhooks w
   WHERE w.id = e.webhook_id AND e.webhook_id = $1 AND e.created_at >= $3 AND e.created_at <= $4
     AND (e.state IN ('FAILED', 'SKIPPED') AND e.reason IS DISTINCT FROM 'too_deep'
       OR e.state = 'PENDING' AND ${CAN_WAIT_NO_LONGER})`;

/** The history of automations, and what brings a part of it back. */
@Injectable()
export class ExecutionsRepository {
  constructor(
    @InjectRepository(AutomationExecution) private readonly executions: Repository<AutomationExecution>,
    @InjectRepository(AutomationAttempt) private readonly attempts: Repository<AutomationAttempt>,
    private readonly webhooks: WebhooksRepository,
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
  redeliver(id: string, now: Date): Promise<boolean> {
    return this.executions.manager.transaction(async (db) => {
      const [rows] = await db.query<[{ id: string }[], number]>(REDELIVER, [id, now]);
      if (rows[0]) await this.webhooks.endPause(db, rows[0].id);
      return rows.length > 0;
    });
  }

  /** @returns how many */
  recover(webhookId: string, since: Date, until: Date, now: Date): Promise<number> {
    return this.executions.manager.transaction(async (db) => {
      const [, affected] = await db.query<[unknown[], number]>(RECOVER, [webhookId, now, since, until]);
      if (affected > 0) await this.webhooks.endPause(db, webhookId);
      return affected;
    });
  }
}
