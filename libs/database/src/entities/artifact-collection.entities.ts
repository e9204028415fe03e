import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Authored } from './authored.js';
import { Project } from './project.entity.js';
import { Registry } from './registry.entities.js';

/**
 * A named line of versions. A project's collection is where versions are made; a registry's holds links to versions that
 * were made in projects. Aliases and tags belong to the collection in which they were given.
 */
@Entity('artifact_collections')
@Check('artifact_collections_place_check', 'num_nonnulls(project_id, registry_id) = 1')
@Index('artifact_collections_project_id_name_key', ['projectId', 'name'], { unique: true })
@Index('artifact_collections_registry_id_name_key', ['registryId', 'name'], { unique: true })
export class ArtifactCollection extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'artifact_collections_pkey' })
  id: string;

  @Column('integer', { name: 'project_id', nullable: true })
  projectId: number | null;

  @Column('uuid', { name: 'registry_id', nullable: true })
  registryId: string | null;

  @Column('text')
  name: string;

  /** What its versions are: `model`, `dataset`, ... */
  @Column('text')
  type: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Number of the next version. Numbers are never used again. */
  @Column('integer', { name: 'next_index', default: 0 })
  nextIndex: number;

  /** For how long its versions stay that don't say so; 0: for good; null: as the team says. A bigint, hence text. */
  @Column('bigint', { name: 'ttl_seconds', nullable: true })
  ttlSeconds: string | null;

  @ManyToOne(() => Project, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'artifact_collections_project_id_fkey' })
  project: Project | null;

  @ManyToOne(() => Registry, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'registry_id', foreignKeyConstraintName: 'artifact_collections_registry_id_fkey' })
  registry: Registry | null;
}

@Entity('artifact_collection_tags')
export class ArtifactCollectionTag {
  @PrimaryColumn('uuid', { name: 'collection_id', primaryKeyConstraintName: 'artifact_collection_tags_pkey' })
  collectionId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'artifact_collection_tags_pkey' })
  tag: string;

  @ManyToOne(() => ArtifactCollection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'artifact_collection_tags_collection_id_fkey' })
  collection: ArtifactCollection;
}
