import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Generated,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { AutomationEvent } from './automation-event.entity.js';
import { Automation } from './automation.entity.js';
import { Run } from './run.entity.js';

export const EXECUTION_STATES = ['PENDING', 'FINISHED', 'FAILED', 'SKIPPED'] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];

/** One automation fired by one event: a delivery that is due, or how it ended. */
@Entity('automation_executions')
@Check('automation_executions_pending_check', "(state = 'PENDING') = (next_attempt_at IS NOT NULL)")
@Index('automation_executions_firing_key', ['eventId', 'automationId'], { unique: true })
@Index('automation_executions_list_idx', ['automationId', 'createdAt', 'id'])
@Index('automation_executions_team_id_created_at_idx', ['teamId', 'createdAt'])
@Index('automation_executions_due_idx', ['webhookId', 'nextAttemptAt'], { where: "(state = 'PENDING'::text)" })
@Index('automation_executions_lost_idx', ['webhookId', 'createdAt'], {
  where: "(state = ANY (ARRAY['FAILED'::text, 'SKIPPED'::text]))",
})
export class AutomationExecution {
  /** Also the `webhook-id` of every attempt. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'automation_executions_pkey' })
  id: string;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  @Column('uuid', { name: 'automation_id' })
  automationId: string;

  /** Owner of the webhook. */
  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  /** Shows that a change was caused by this execution; its receiver alone is told. */
  @Generated('uuid')
  @Column('uuid', { name: 'cause_token' })
  causeToken: string;

  /** What the automation's condition found, beside the event: a JSON object as text. */
  @Column('text', { nullable: true })
  variables: string | null;

  @Column('text')
  state: ExecutionState;

  /** Why it failed or was skipped. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** All that were made. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Those since it was fired or last redelivered: where in the schedule it is. */
  @Column('integer', { name: 'round_attempts', default: 0 })
  roundAttempts: number;

  /** Null once it has ended. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** When it was, by the same clock, that this was planned. */
  @Column('timestamptz', { name: 'planned_at', nullable: true })
  plannedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  @ManyToOne(() => AutomationEvent, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'automation_executions_event_id_fkey' })
  event: AutomationEvent;

  @ManyToOne(() => Automation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'automation_id', foreignKeyConstraintName: 'automation_executions_automation_id_fkey' })
  automation: Automation;
}

/** One request of an execution, and what came back. Secrets are masked before it is written. */
@Entity('automation_attempts')
@Index('automation_attempts_number_key', ['executionId', 'number'], { unique: true })
export class AutomationAttempt {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'automation_attempts_pkey' })
  id: string;

  @Column('uuid', { name: 'execution_id' })
  executionId: string;

  /** From 1. */
  @Column('integer')
  number: number;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  /** Of the answer, if there was one. */
  @Column('integer', { nullable: true })
  status: number | null;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  /** A JSON object as text. */
  @Column('text', { name: 'response_headers', nullable: true })
  responseHeaders: string | null;

  /** At most 16 KiB of it. */
  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;

  @ManyToOne(() => AutomationExecution, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'execution_id', foreignKeyConstraintName: 'automation_attempts_execution_id_fkey' })
  execution: AutomationExecution;
}

/** When a metric automation last fired for a run: it does so once in 24 hours. */
@Entity('automation_run_firings')
export class AutomationRunFiring {
  @PrimaryColumn('uuid', { name: 'automation_id', primaryKeyConstraintName: 'automation_run_firings_pkey' })
  automationId: string;

  @Index('automation_run_firings_run_id_idx')
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'automation_run_firings_pkey' })
  runId: string;

  @Column('timestamptz', { name: 'fired_at' })
  firedAt: Date;

  @ManyToOne(() => Automation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'automation_id', foreignKeyConstraintName: 'automation_run_firings_automation_id_fkey' })
  automation: Automation;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'automation_run_firings_run_id_fkey' })
  run: Run;
}
