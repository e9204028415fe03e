import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AutomationAttempt, AutomationExecution, type ExecutionState } from '@heddle/database';
import type { Principal } from '@heddle/auth';
import { findPage, type PageQuery } from '@heddle/http';
import { WebhooksRepository } from '@heddle/webhooks';
import type { Repository } from 'typeorm';
import { VISIBLE_AUTOMATIONS, visibleTo } from '../automations/automations.repository.js';
import type { ExecutionView } from './execution-view.js';

export interface ExecutionFilter {
  automationId?: string;
  scopeKey?: string;
  webhookId?: string;
  state?: ExecutionState;
  since?: Date;
  until?: Date;
}

const AGAIN = `state = 'PENDING', reason = NULL, round_attempts = 0, finished_at = NULL, planned_at = $2`;

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

const VIEW = `
  SELECT e.id, a.name AS "automationName", w.paused_until AS "pausedUntil",
         l.number, l.status, l.error_code AS "errorCode", l.error
    FROM automation_executions e
    JOIN automations a ON a.id = e.automation_id
    LEFT JOIN webhooks w ON w.id = e.webhook_id
    LEFT JOIN automation_attempts l ON l.execution_id = e.id AND l.number = e.attempts
   WHERE e.id = ANY($1)`;

interface ViewRow extends Pick<AutomationAttempt, 'status' | 'errorCode' | 'error'> {
  id: string;
  automationName: string;
  pausedUntil: Date | null;
  /** Of the last attempt; null where there was none. */
  number: number | null;
}

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

  /** Of the automations that a user may see. */
  findPage(
    caller: Principal,
    { automationId, scopeKey, webhookId, state, since, until }: ExecutionFilter,
    query: PageQuery,
  ): Promise<AutomationExecution[]> {
    const list = this.executions.createQueryBuilder('execution').innerJoin('execution.automation', 'automation');
    if (automationId) list.where('execution.automationId = :automationId', { automationId });
    else if (scopeKey) list.where('automation.scopeKey = :scopeKey', { scopeKey });
    else list.where(VISIBLE_AUTOMATIONS, visibleTo(caller));
    if (webhookId) list.andWhere('execution.webhookId = :webhookId', { webhookId });
    if (state) list.andWhere('execution.state = :state', { state });
    if (since) list.andWhere('execution.createdAt >= :since', { since });
    if (until) list.andWhere('execution.createdAt <= :until', { until });
    return findPage(list, query);
  }

  /** With what lists say beside them. */
  async view(executions: readonly AutomationExecution[]): Promise<ExecutionView[]> {
    const rows = await this.executions.query<ViewRow[]>(VIEW, [executions.map(({ id }) => id)]);
    const found = new Map(rows.map(({ id, ...row }) => [id, row]));
    return executions.flatMap((execution) => {
      const row = found.get(execution.id);
      if (!row) return [];
      const { automationName, pausedUntil, number, ...last } = row;
      return [{ execution, automationName, pausedUntil, last: number === null ? null : last }];
    });
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
