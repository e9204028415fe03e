import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { ArtifactVersion } from './artifact-version.entity.js';
import { Run } from './run.entity.js';

/** What the wandb SDK says of a version or draft that it makes, beside what every version has. */
@Entity('sdk_artifacts')
export class SdkArtifact {
  @PrimaryColumn('uuid', { name: 'version_id', primaryKeyConstraintName: 'sdk_artifacts_pkey' })
  versionId: string;

  /** MD5 over the client's manifest, in hex. */
  @Column({ type: 'text', collation: 'C' })
  digest: string;

  /** The client's own id for it, known before this server's. */
  @Index('sdk_artifacts_client_id_idx')
  @Column('text', { name: 'client_id', nullable: true })
  clientId: string | null;

  @Index('sdk_artifacts_sequence_client_id_idx')
  @Column('text', { name: 'sequence_client_id', nullable: true })
  sequenceClientId: string | null;

  /** Runs that name the same fill one draft together. */
  @Column('text', { name: 'distributed_id', nullable: true })
  distributedId: string | null;

  /** The run that made it. */
  @Index('sdk_artifacts_run_id_idx')
  @Column('uuid', { name: 'run_id', nullable: true })
  runId: string | null;

  @Column('bigint', { name: 'history_step', nullable: true })
  historyStep: string | null;

  /** For the commit. */
  @Column('text', { array: true, default: [] })
  aliases: string[];

  @Column('text', { array: true, default: [] })
  tags: string[];

  /** JSON text, with references; null until the commit. Read only where it is asked for: it may be large. */
  @Column('text', { nullable: true, select: false })
  manifest: string | null;

  @OneToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'sdk_artifacts_version_id_fkey' })
  version: ArtifactVersion;

  @ManyToOne(() => Run, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'sdk_artifacts_run_id_fkey' })
  run: Run | null;
}

/** A manifest that a client sends for a draft: whole, or what changes. */
@Entity('sdk_manifests')
export class SdkManifest {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'sdk_manifests_pkey' })
  id: string;

  @Index('sdk_manifests_version_id_idx')
  @Column('uuid', { name: 'version_id' })
  versionId: string;

  /** FULL, INCREMENTAL or PATCH. */
  @Column('text')
  type: string;

  /** The version that an incremental one adds to. */
  @Column('uuid', { name: 'base_version_id', nullable: true })
  baseVersionId: string | null;

  /** JSON text; null until it is uploaded. */
  @Column('text', { nullable: true })
  body: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt: Date;

  @ManyToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'sdk_manifests_version_id_fkey' })
  version: ArtifactVersion;
}

/** A run that used a version. */
@Entity('artifact_uses')
export class ArtifactUse {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'artifact_uses_pkey' })
  runId: string;

  @Index('artifact_uses_version_id_idx')
  @PrimaryColumn('uuid', { name: 'version_id', primaryKeyConstraintName: 'artifact_uses_pkey' })
  versionId: string;

  @Column('timestamptz', { name: 'used_at', default: () => 'now()' })
  usedAt: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'artifact_uses_run_id_fkey' })
  run: Run;

  @ManyToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'artifact_uses_version_id_fkey' })
  version: ArtifactVersion;
}
