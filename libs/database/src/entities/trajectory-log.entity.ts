import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { Model } from './model.entity.js';

/** Trajectories that a user logged against a model. They themselves are in a file. */
@Entity('trajectory_logs')
@Index('trajectory_logs_model_id_created_at_idx', ['modelId', 'createdAt', 'id'])
export class TrajectoryLog extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'trajectory_logs_pkey' })
  id: string;

  @Column('uuid', { name: 'model_id' })
  modelId: string;

  /** `train`, `val`, ...: what the names of its metrics begin with. */
  @Column('text')
  split: string;

  /** The model's step when they were logged. */
  @Column('integer')
  step: number;

  /** The file, below the data directory. */
  @Index('trajectory_logs_path_idx')
  @Column('text')
  path: string;

  @Column('integer')
  groups: number;

  @Column('integer')
  trajectories: number;

  @Column('integer')
  exceptions: number;

  /** What was computed from them, name to finite number: JSON text. */
  @Column('text')
  metrics: string;

  @ManyToOne(() => Model, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'model_id', foreignKeyConstraintName: 'trajectory_logs_model_id_fkey' })
  model: Model;
}
