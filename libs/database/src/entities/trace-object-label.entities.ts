import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A word that many versions of many objects may carry. */
@Entity('trace_object_tags')
export class TraceObjectTag {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_object_tags_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'object_id',
    collation: 'C',
    primaryKeyConstraintName: 'trace_object_tags_pkey',
  })
  objectId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_object_tags_pkey' })
  digest: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_object_tags_pkey' })
  tag: string;
}

/** A name for one version of an object; it moves when it is set again. */
@Entity('trace_object_aliases')
export class TraceObjectAlias {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_object_aliases_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'object_id',
    collation: 'C',
    primaryKeyConstraintName: 'trace_object_aliases_pkey',
  })
  objectId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_object_aliases_pkey' })
  alias: string;

  @Column({ type: 'text', collation: 'C' })
  digest: string;
}
