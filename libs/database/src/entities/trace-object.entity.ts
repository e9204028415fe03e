import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

export const OBJECT_KINDS = ['object', 'op'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** One version of a published object or op, known by the digest of its value. Text as in {@link Call}. */
@Entity('trace_objects')
@Index('trace_objects_version_key', ['projectId', 'objectId', 'kind', 'versionIndex'], { unique: true })
@Index('trace_objects_latest_idx', ['projectId', 'objectId', 'kind', 'published'])
@Index('trace_objects_base_class_idx', ['projectId', 'baseObjectClass'])
export class TraceObject {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_objects_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'object_id',
    collation: 'C',
    primaryKeyConstraintName: 'trace_objects_pkey',
  })
  objectId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_objects_pkey' })
  digest: string;

  /** Counts the versions of one object (of one kind) from 0, in the order in which they were first published. */
  @Column('integer', { name: 'version_index' })
  versionIndex: number;

  /** Grows with each publication that changes something: the latest version is the one published last that is not deleted. */
  @Column('bigint')
  @Generated('increment')
  published: string;

  @Column('text')
  kind: ObjectKind;

  @Column({ type: 'text', name: 'base_object_class', nullable: true, collation: 'C' })
  baseObjectClass: string | null;

  @Column({ type: 'text', name: 'leaf_object_class', nullable: true, collation: 'C' })
  leafObjectClass: string | null;

  /** The value's own JSON text. */
  @Column('text')
  val: string;

  @Column({ type: 'text', name: 'wb_user_id', nullable: true, collation: 'C' })
  wbUserId: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
