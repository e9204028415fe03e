import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ArtifactVersion } from './artifact-version.entity.js';

/** Content that the file store holds, known by its SHA-256. Files of many versions may share it. */
@Entity('artifact_blobs')
export class ArtifactBlob {
  /** Hex. */
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'artifact_blobs_pkey' })
  sha256: string;

  /** Hex. Null for content that came before these were taken, until somebody asks for it. */
  @Index('artifact_blobs_md5_idx')
  @Column({ type: 'text', collation: 'C', nullable: true })
  md5: string | null;

  /** A bigint, hence text. */
  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  /** When it was last uploaded. */
  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt: Date;
}

@Entity('artifact_files')
export class ArtifactFile {
  @PrimaryColumn('uuid', { name: 'version_id', primaryKeyConstraintName: 'artifact_files_pkey' })
  versionId: string;

  /** With slashes; neither absolute nor with `..`. */
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'artifact_files_pkey' })
  path: string;

  @Index('artifact_files_sha256_idx')
  @Column({ type: 'text', collation: 'C' })
  sha256: string;

  @ManyToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'artifact_files_version_id_fkey' })
  version: ArtifactVersion;

  @ManyToOne(() => ArtifactBlob)
  @JoinColumn({ name: 'sha256', foreignKeyConstraintName: 'artifact_files_sha256_fkey' })
  blob: ArtifactBlob;
}

/** Keeps a content that no file uses any more, for one who reads it later. */
@Entity('held_blobs')
export class HeldBlob {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'held_blobs_pkey' })
  holder: string;

  @Index('held_blobs_sha256_idx')
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'held_blobs_pkey' })
  sha256: string;

  @Column('timestamptz', { name: 'held_at', default: () => 'now()' })
  heldAt: Date;

  @ManyToOne(() => ArtifactBlob)
  @JoinColumn({ name: 'sha256', foreignKeyConstraintName: 'held_blobs_sha256_fkey' })
  blob: ArtifactBlob;
}
