import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** Sums over the visible calls of a project that started within a minute. */
@Entity('call_minutes')
export class CallMinute {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'call_minutes_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'timestamptz', primaryKeyConstraintName: 'call_minutes_pkey' })
  minute: string;

  @Column('integer')
  calls: number;

  @Column('integer')
  ended: number;

  @Column('integer')
  errors: number;

  /** Of those that have ended. */
  @Column('numeric', { name: 'latency_ms' })
  latencyMs: string;
}

/** What those calls used of a model, beyond what calls below them state. */
@Entity('call_usage_minutes')
export class CallUsageMinute {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'call_usage_minutes_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'timestamptz', primaryKeyConstraintName: 'call_usage_minutes_pkey' })
  minute: string;

  /** Number of the model within its minute. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'call_usage_minutes_pkey' })
  place: number;

  @Column({ type: 'text', collation: 'C' })
  model: string;

  @Column('integer')
  calls: number;

  @Column('numeric', { name: 'input_tokens' })
  inputTokens: string;

  @Column('numeric', { name: 'output_tokens' })
  outputTokens: string;

  @Column('numeric', { name: 'total_tokens' })
  totalTokens: string;

  @Column('numeric', { name: 'cache_read_input_tokens' })
  cacheReadInputTokens: string;

  @Column('numeric', { name: 'cache_creation_input_tokens' })
  cacheCreationInputTokens: string;

  /** Input at the full rate. */
  @Column('numeric', { name: 'uncached_input_tokens' })
  uncachedInputTokens: string;
}

/** A minute whose calls have changed since its sums were made: triggers on `calls` write these. */
@Entity('call_changes')
@Index('call_changes_project_idx', ['projectId', 'minute'])
export class CallChange {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'call_changes_pkey',
  })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  @Column('timestamptz')
  minute: string;

  @Column({ type: 'text', name: 'former_parent_id', nullable: true, collation: 'C' })
  formerParentId: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
