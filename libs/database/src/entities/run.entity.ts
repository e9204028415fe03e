import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { Project } from './project.entity.js';

export const RUN_STATES = ['RUNNING', 'FINISHED', 'FAILED'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** One execution of something that logs metrics. */
@Entity('runs')
@Index('runs_project_id_name_key', ['projectId', 'name'], { unique: true })
@Index('runs_project_id_created_at_idx', ['projectId', 'createdAt', 'id'])
export class Run extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'runs_pkey' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  /** Unique in the project; stands in URLs. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text')
  state: RunState;

  /** JSON text: jsonb would refuse U+0000. */
  @Column('text')
  config: string;

  /** Greatest step logged; null before the first. A bigint, hence text. */
  @Column('bigint', { name: 'last_step', nullable: true })
  lastStep: string | null;

  /** When the run reached its present state. */
  @Column('timestamptz', { name: 'state_changed_at', default: () => 'now()' })
  stateChangedAt: Date;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'runs_project_id_fkey' })
  project: Project;
}
