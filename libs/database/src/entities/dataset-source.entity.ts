import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Where a row of a dataset comes from: a call, a span or a conversation, as it was when it was linked. It stays when the
 * source is gone. Text as in {@link Call}.
 */
@Entity('dataset_sources')
@Index('dataset_sources_dataset_idx', ['projectId', 'datasetObjectId', 'rowDigest'])
@Index('dataset_sources_source_idx', ['projectId', 'sourceId'])
export class DatasetSource {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'dataset_sources_pkey' })
  projectId: number;

  /** Made of what the link joins, so that there is one of it. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'dataset_sources_pkey' })
  id: string;

  @Column({ type: 'text', name: 'dataset_object_id', collation: 'C' })
  datasetObjectId: string;

  @Column({ type: 'text', name: 'row_digest', collation: 'C' })
  rowDigest: string;

  @Column({ type: 'text', name: 'source_kind' })
  sourceKind: 'call' | 'span' | 'conversation';

  @Column({ type: 'text', name: 'source_id', collation: 'C' })
  sourceId: string;

  @Column({ type: 'text', name: 'source_trace_id', collation: 'C' })
  sourceTraceId: string;

  @Column('timestamptz', { name: 'source_started_at' })
  sourceStartedAt: string;

  @Column('text', { name: 'source_display_name' })
  sourceDisplayName: string;

  /** JSON text. */
  @Column({ type: 'text', name: 'link_metadata', nullable: true })
  linkMetadata: string | null;

  @Column('text', { name: 'added_by' })
  addedBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
