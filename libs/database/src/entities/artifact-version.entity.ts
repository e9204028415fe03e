import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { ArtifactCollection } from './artifact-collection.entities.js';

/** Metadata and files. A draft until it is committed; after that its files never change. */
@Entity('artifact_versions')
@Index('artifact_versions_drafts_idx', ['createdAt'], { where: '(committed_at IS NULL)' })
export class ArtifactVersion extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'artifact_versions_pkey' })
  id: string;

  /** The project's collection in which it was made. */
  @Index('artifact_versions_collection_id_idx')
  @Column('uuid', { name: 'collection_id' })
  collectionId: string;

  /** SHA-256 over the list of files, in hex; null for a draft. */
  @Column('text', { nullable: true })
  digest: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  /** A JSON object as text: jsonb would refuse U+0000. */
  @Column('text')
  metadata: string;

  @Column('integer', { name: 'file_count', default: 0 })
  fileCount: number;

  /** A bigint, hence text. */
  @Column('bigint', { name: 'size_bytes', default: 0 })
  sizeBytes: string;

  /** Null for a draft. */
  @Column('timestamptz', { name: 'committed_at', nullable: true })
  committedAt: Date | null;

  /** For how long it stays, in seconds from when it was made; 0: for good; null: as the collection says. A bigint, hence text. */
  @Column('bigint', { name: 'ttl_seconds', nullable: true })
  ttlSeconds: string | null;

  @ManyToOne(() => ArtifactCollection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'artifact_versions_collection_id_fkey' })
  collection: ArtifactCollection;
}
