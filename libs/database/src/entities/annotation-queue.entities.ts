import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Calls that people are to look at, and what they are asked about each. Text as in {@link Call}. */
@Entity('annotation_queues')
export class AnnotationQueue {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'annotation_queues_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'annotation_queues_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column({ type: 'text', name: 'scorer_refs', array: true })
  scorerRefs: string[];

  @Column('text', { name: 'created_by' })
  createdBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}

/** A call in a queue, as it was when it was added: it may be deleted before anybody looks at it. */
@Entity('annotation_queue_items')
@Index('annotation_queue_items_call_key', ['projectId', 'queueId', 'callId'], { unique: true })
@Index('annotation_queue_items_call_idx', ['projectId', 'callId'])
export class AnnotationQueueItem {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'annotation_queue_items_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'annotation_queue_items_pkey' })
  id: string;

  @Column({ type: 'text', name: 'queue_id', collation: 'C' })
  queueId: string;

  @Column({ type: 'text', name: 'call_id', collation: 'C' })
  callId: string;

  @Column('timestamptz', { name: 'call_started_at' })
  callStartedAt: string;

  @Column('timestamptz', { name: 'call_ended_at', nullable: true })
  callEndedAt: string | null;

  @Column({ type: 'text', name: 'call_op_name', collation: 'C' })
  callOpName: string;

  @Column({ type: 'text', name: 'call_trace_id', collation: 'C' })
  callTraceId: string;

  /** Originals of what is too long for an index, as the call has them. */
  @Column('jsonb', { name: 'long_texts', nullable: true })
  longTexts: Record<string, string> | null;

  /** Paths such as `inputs.prompt`: what is shown of the call. */
  @Column({ type: 'text', name: 'display_fields', array: true })
  displayFields: string[];

  @Column('text', { name: 'added_by' })
  addedBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** How far somebody is with an item. An item that nobody has begun has none. */
@Entity('annotation_progress')
export class AnnotationProgress {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'annotation_progress_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'item_id',
    collation: 'C',
    primaryKeyConstraintName: 'annotation_progress_pkey',
  })
  itemId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'annotation_progress_pkey' })
  annotator: string;

  @Column('text')
  state: 'in_progress' | 'completed' | 'skipped';

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
