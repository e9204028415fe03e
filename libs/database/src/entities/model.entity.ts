import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { ArtifactCollection } from './artifact-collection.entities.js';
import { Project } from './project.entity.js';
import { Run } from './run.entity.js';

/** A line of adapters trained on one base model: its checkpoints. */
@Entity('models')
@Index('models_project_id_name_key', ['projectId', 'name'], { unique: true })
@Index('models_project_id_created_at_idx', ['projectId', 'createdAt', 'id'])
export class Model extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'models_pkey' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  /** Unique in the project; also the name of its collection of artifacts. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column('text', { name: 'base_model' })
  baseModel: string;

  /** Of its first adapter; null: what its base model has by default. */
  @Column('integer', { name: 'lora_rank', nullable: true })
  loraRank: number | null;

  /** Where its metrics are; null once somebody has deleted it. */
  @Index('models_run_id_idx')
  @Column('uuid', { name: 'run_id', nullable: true })
  runId: string | null;

  /** Where its checkpoints' artifact versions are; null once somebody has deleted it. */
  @Index('models_collection_id_idx')
  @Column('uuid', { name: 'collection_id', nullable: true })
  collectionId: string | null;

  /** Step of the next checkpoint, from 1: 0 is the untrained adapter. Steps are never used again. */
  @Column('integer', { name: 'next_step', default: 1 })
  nextStep: number;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'models_project_id_fkey' })
  project: Project;

  @ManyToOne(() => Run, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'models_run_id_fkey' })
  run: Run | null;

  @ManyToOne(() => ArtifactCollection, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'models_collection_id_fkey' })
  collection: ArtifactCollection | null;
}
