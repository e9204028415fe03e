import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What somebody, or a scorer, said about a call or an object. Text as in {@link Call}. */
@Entity('feedback')
@Index('feedback_weave_ref_idx', ['projectId', 'weaveRef'])
@Index('feedback_created_at_idx', ['projectId', 'createdAt'])
export class Feedback {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'feedback_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'feedback_pkey' })
  id: string;

  /** The reference that this is about, as the client wrote it. */
  @Column({ type: 'text', name: 'weave_ref', collation: 'C' })
  weaveRef: string;

  @Column({ type: 'text', name: 'feedback_type', collation: 'C' })
  feedbackType: string;

  /** The payload's own JSON text, an object. */
  @Column('text')
  payload: string;

  /** JSON text of the scorer_* and span_* fields that came with it. */
  @Column('text')
  details: string;

  /** Null where PostgreSQL's JSON functions can read `payload` itself; else a copy that they can. */
  @Column({ type: 'text', name: 'payload_search', nullable: true })
  payloadSearch: string | null;

  @Column({ type: 'text', nullable: true })
  creator: string | null;

  @Column({ type: 'text', name: 'annotation_ref', nullable: true, collation: 'C' })
  annotationRef: string | null;

  @Column({ type: 'text', name: 'runnable_ref', nullable: true, collation: 'C' })
  runnableRef: string | null;

  @Column({ type: 'text', name: 'call_ref', nullable: true, collation: 'C' })
  callRef: string | null;

  @Column({ type: 'text', name: 'trigger_ref', nullable: true, collation: 'C' })
  triggerRef: string | null;

  @Column({ type: 'text', name: 'queue_id', nullable: true, collation: 'C' })
  queueId: string | null;

  @Column({ type: 'text', name: 'wb_user_id', collation: 'C' })
  wbUserId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
