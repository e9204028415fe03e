import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ArtifactCollection } from './artifact-collection.entities.js';
import { ArtifactVersion } from './artifact-version.entity.js';

/** A committed version in a collection: in the one where it was made, and in each registry collection that links it. */
@Entity('artifact_memberships')
@Index('artifact_memberships_index_key', ['collectionId', 'versionIndex'], { unique: true })
export class ArtifactMembership {
  @PrimaryColumn('uuid', { name: 'collection_id', primaryKeyConstraintName: 'artifact_memberships_pkey' })
  collectionId: string;

  @Index('artifact_memberships_version_id_idx')
  @PrimaryColumn('uuid', { name: 'version_id', primaryKeyConstraintName: 'artifact_memberships_pkey' })
  versionId: string;

  /** 0 for v0 of this collection. */
  @Column('integer', { name: 'version_index' })
  versionIndex: number;

  /** Username. */
  @Column('text', { name: 'added_by' })
  addedBy: string;

  @Column('timestamptz', { name: 'added_at', default: () => 'clock_timestamp()' })
  addedAt: Date;

  @ManyToOne(() => ArtifactCollection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'artifact_memberships_collection_id_fkey' })
  collection: ArtifactCollection;

  @ManyToOne(() => ArtifactVersion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'artifact_memberships_version_id_fkey' })
  version: ArtifactVersion;
}

/** The primary key lets an alias sit on one version of the collection at a time. */
@Entity('artifact_aliases')
@Index('artifact_aliases_membership_idx', ['collectionId', 'versionId'])
export class ArtifactAlias {
  @PrimaryColumn('uuid', { name: 'collection_id', primaryKeyConstraintName: 'artifact_aliases_pkey' })
  collectionId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'artifact_aliases_pkey' })
  alias: string;

  @Column('uuid', { name: 'version_id' })
  versionId: string;

  @ManyToOne(() => ArtifactMembership, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'collection_id',
    referencedColumnName: 'collectionId',
    foreignKeyConstraintName: 'artifact_aliases_membership_fkey',
  })
  @JoinColumn({
    name: 'version_id',
    referencedColumnName: 'versionId',
    foreignKeyConstraintName: 'artifact_aliases_membership_fkey',
  })
  membership: ArtifactMembership;
}

@Entity('artifact_tags')
export class ArtifactTag {
  @PrimaryColumn('uuid', { name: 'collection_id', primaryKeyConstraintName: 'artifact_tags_pkey' })
  collectionId: string;

  @PrimaryColumn('uuid', { name: 'version_id', primaryKeyConstraintName: 'artifact_tags_pkey' })
  versionId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'artifact_tags_pkey' })
  tag: string;

  @ManyToOne(() => ArtifactMembership, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'collection_id',
    referencedColumnName: 'collectionId',
    foreignKeyConstraintName: 'artifact_tags_membership_fkey',
  })
  @JoinColumn({
    name: 'version_id',
    referencedColumnName: 'versionId',
    foreignKeyConstraintName: 'artifact_tags_membership_fkey',
  })
  membership: ArtifactMembership;
}
