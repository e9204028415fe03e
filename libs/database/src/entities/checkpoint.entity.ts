import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { ArtifactVersion } from './artifact-version.entity.js';
import { Model } from './model.entity.js';
import { TrainingJob } from './training-job.entities.js';

/** A model's adapter after one training job. Its files are those of an artifact version, with which it comes and goes. */
@Entity('checkpoints')
@Index('checkpoints_model_id_step_key', ['modelId', 'step'], { unique: true })
@Index('checkpoints_version_id_key', ['versionId'], { unique: true })
@Index('checkpoints_training_job_id_key', ['trainingJobId'], { unique: true })
export class Checkpoint {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'checkpoints_pkey' })
  id: string;

  @Column('uuid', { name: 'model_id' })
  modelId: string;

  /** From 1. The order of the list. */
  @Column('integer')
  step: number;

  /** Name to finite number: JSON text, since jsonb would refuse U+0000. */
  @Column('text')
  metrics: string;

  @Column('uuid', { name: 'version_id' })
  versionId: string;

  /** The job that made it. A job makes one. */
  @Column('uuid', { name: 'training_job_id', nullable: true })
  trainingJobId: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Model, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'model_id', foreignKeyConstraintName: 'checkpoints_model_id_fkey' })
  model: Model;

  @ManyToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'checkpoints_version_id_fkey' })
  version: ArtifactVersion;

  @ManyToOne(() => TrainingJob, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'training_job_id', foreignKeyConstraintName: 'checkpoints_training_job_id_fkey' })
  trainingJob: TrainingJob | null;
}
