import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Run } from './run.entity.js';

/** One line of what a client streams of a run, as it came: `history`, `events` (the machine's load) or `log`. */
@Entity('run_lines')
@Index('run_lines_step_idx', ['runId', 'stream', 'step'])
export class RunLine {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'run_lines_pkey' })
  runId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'run_lines_pkey' })
  stream: string;

  @PrimaryColumn({ type: 'integer', name: 'line_no', primaryKeyConstraintName: 'run_lines_pkey' })
  lineNo: number;

  /** A bigint, hence text. Null where the line names none. */
  @Column('bigint', { nullable: true })
  step: string | null;

  @Column('text')
  body: string;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'run_lines_run_id_fkey' })
  run: Run;
}
