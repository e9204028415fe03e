import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Run } from './run.entity.js';

/** One value of one metric at one step of a run. */
@Entity('run_metrics')
@Index('run_metrics_step_idx', ['runId', 'step'])
export class RunMetric {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'run_metrics_pkey' })
  runId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'run_metrics_pkey' })
  name: string;

  /** A bigint, hence text. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'run_metrics_pkey' })
  step: string;

  /** It may be NaN, which PostgreSQL takes for greater than all others, or infinite. */
  @Column('double precision')
  value: number;

  @Column('timestamptz', { name: 'logged_at' })
  loggedAt: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'run_metrics_run_id_fkey' })
  run: Run;
}
