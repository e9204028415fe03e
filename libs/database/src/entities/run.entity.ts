import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { Project } from './project.entity.js';

export const RUN_STATES = ['RUNNING', 'FINISHED', 'FAILED', 'CRASHED'] as const;
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

  /** The configuration as the wandb SDK wrote it, JSON text; null where something else wrote it last. */
  @Column('text', { name: 'client_config', nullable: true })
  clientConfig: string | null;

  /** What the run came to, JSON text as the client wrote it: it may hold NaN and Infinity. */
  @Column('text', { default: '{}' })
  summary: string;

  @Column('text', { nullable: true })
  notes: string | null;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('text', { name: 'group_name', nullable: true })
  group: string | null;

  @Column('text', { name: 'job_type', nullable: true })
  jobType: string | null;

  @Column('text', { nullable: true })
  host: string | null;

  @Column('text', { nullable: true })
  program: string | null;

  @Column('text', { name: 'git_commit', nullable: true })
  commit: string | null;

  /** When its client was last heard of; null where nothing says that it lives. */
  @Column('timestamptz', { name: 'heartbeat_at', nullable: true })
  heartbeatAt: Date | null;

  /** Whether its client is told to stop. */
  @Column('boolean', { name: 'stop_requested', default: false })
  stopRequested: boolean;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'runs_project_id_fkey' })
  project: Project;
}
