import {
  Column,
  CreateDateColumn,
  Entity,
  Generated,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Authored } from './authored.js';
import { Model } from './model.entity.js';

/** Reinforcement learning, or supervised fine-tuning. */
export const TRAINING_JOB_KINDS = ['rl', 'sft'] as const;
export type TrainingJobKind = (typeof TRAINING_JOB_KINDS)[number];

/** Those of the domain event. */
export const TRAINING_JOB_STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'] as const;
export type TrainingJobState = (typeof TRAINING_JOB_STATES)[number];

export const TRAINING_EVENT_TYPES = ['training_started', 'gradient_step', 'training_ended', 'training_failed'] as const;
export type TrainingEventType = (typeof TRAINING_EVENT_TYPES)[number];

/** Makes one checkpoint of a model. A model's jobs run one after the other, in the order in which they came. */
@Entity('training_jobs')
@Index('training_jobs_model_id_sequence_key', ['modelId', 'sequence'], { unique: true })
@Index('training_jobs_model_id_created_at_idx', ['modelId', 'createdAt', 'id'])
@Index('training_jobs_request_key', ['modelId', 'createdById', 'requestKey'], {
  unique: true,
  where: '(request_key IS NOT NULL)',
})
@Index('training_jobs_running_key', ['modelId'], { unique: true, where: "(state = 'RUNNING'::text)" })
@Index('training_jobs_open_idx', ['sequence'], { where: "(state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]))" })
export class TrainingJob extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'training_jobs_pkey' })
  id: string;

  @Column('uuid', { name: 'model_id' })
  modelId: string;

  @Column('text')
  kind: TrainingJobKind;

  @Column('text', { default: 'QUEUED' })
  state: TrainingJobState;

  /** A JSON object as text, nulls stripped. */
  @Column('text')
  config: string;

  /** `rl`: the stored trajectories, below the data directory; `sft`: the reference of the training data. */
  @Index('training_jobs_data_idx')
  @Column('text')
  data: string;

  /** When it came, among all jobs. A bigint, hence text. */
  @Generated('increment')
  @Column('bigint')
  sequence: string;

  /** The checkpoint that it goes on from, 0 for none; null before it runs. */
  @Column('integer', { name: 'from_step', nullable: true })
  fromStep: number | null;

  /** The checkpoint that it made. */
  @Column('integer', { nullable: true })
  step: number | null;

  /** Gradient steps, once `training_started` has said it. */
  @Column('integer', { name: 'num_sequences', nullable: true })
  numSequences: number | null;

  /** How often a worker has begun it. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Why it failed, for its user. */
  @Column('text', { nullable: true })
  error: string | null;

  /** The worker process that runs it. */
  @Column('uuid', { name: 'worker_id', nullable: true })
  workerId: string | null;

  /** Who it acts as: author of its events. */
  @Column('uuid', { name: 'created_by_id' })
  createdById: string;

  /** What its user's client calls the request that made it: the same one again is this job. */
  @Column('text', { name: 'request_key', nullable: true })
  requestKey: string | null;

  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt: Date | null;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  /** When its worker last said that it lives. */
  @Column('timestamptz', { name: 'heartbeat_at', nullable: true })
  heartbeatAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  @ManyToOne(() => Model, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'model_id', foreignKeyConstraintName: 'training_jobs_model_id_fkey' })
  model: Model;
}

/** What a job's user sees of it. */
@Entity('training_job_events')
@Index('training_job_events_job_id_position_key', ['jobId', 'position'], { unique: true })
export class TrainingJobEvent {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'training_job_events_pkey' })
  id: string;

  @Column('uuid', { name: 'job_id' })
  jobId: string;

  /** 0 is `training_started`, k the k-th gradient step, the greatest one the end. */
  @Column('integer')
  position: number;

  @Column('text')
  type: TrainingEventType;

  /** A JSON object as text. */
  @Column('text')
  data: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => TrainingJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'training_job_events_job_id_fkey' })
  job: TrainingJob;
}
