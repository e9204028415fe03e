import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One call record. A row exists as soon as its start or its end arrived; without a start (`startedAt` null) it is hidden.
 *
 * Text columns hold `encodeText` forms (U+0000 and lone surrogates survive); payload columns hold the JSON text as it was
 * sent. No foreign key to the project, nor to the parent: children arrive before parents, and ingest is the hot path.
 */
@Entity('calls')
export class Call {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'calls_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'calls_pkey', collation: 'C' })
  id: string;

  @Column({ type: 'text', name: 'trace_id', nullable: true, collation: 'C' })
  traceId: string | null;

  @Column({ type: 'text', name: 'parent_id', nullable: true, collation: 'C' })
  parentId: string | null;

  @Column({ type: 'text', name: 'thread_id', nullable: true, collation: 'C' })
  threadId: string | null;

  @Column({ type: 'text', name: 'turn_id', nullable: true, collation: 'C' })
  turnId: string | null;

  @Column({ type: 'text', name: 'op_name', nullable: true, collation: 'C' })
  opName: string | null;

  @Column({ type: 'text', name: 'display_name', nullable: true })
  displayName: string | null;

  /** Microseconds matter: read and write as text, never as Date. */
  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: string | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: string | null;

  @Column({ type: 'text', nullable: true })
  exception: string | null;

  @Column({ type: 'text', name: 'wb_user_id', nullable: true, collation: 'C' })
  wbUserId: string | null;

  @Column({ type: 'text', name: 'wb_run_id', nullable: true, collation: 'C' })
  wbRunId: string | null;

  @Column('bigint', { name: 'wb_run_step', nullable: true })
  wbRunStep: string | null;

  @Column('bigint', { name: 'wb_run_step_end', nullable: true })
  wbRunStepEnd: string | null;

  @Column({ type: 'text', nullable: true })
  attributes: string | null;

  @Column({ type: 'text', nullable: true })
  inputs: string | null;

  @Column({ type: 'text', nullable: true })
  output: string | null;

  @Column({ type: 'text', nullable: true })
  summary: string | null;

  @Column({ type: 'text', name: 'otel_dump', nullable: true })
  otelDump: string | null;

  /**
   * What search reads instead of the payload, as `coalesce(inputs_search, inputs)::json`. Null for almost every row: only
   * payloads that PostgreSQL's JSON functions refuse (`\u0000`, lone surrogates, very deep nesting) have one.
   */
  @Column({ type: 'text', name: 'attributes_search', nullable: true })
  attributesSearch: string | null;

  @Column({ type: 'text', name: 'inputs_search', nullable: true })
  inputsSearch: string | null;

  @Column({ type: 'text', name: 'output_search', nullable: true })
  outputSearch: string | null;

  @Column({ type: 'text', name: 'summary_search', nullable: true })
  summarySearch: string | null;

  /**
   * Null for almost every row. Indexed columns hold short forms of strings that are too long for an index; here are the
   * encoded originals by those forms.
   */
  @Column('jsonb', { name: 'long_texts', nullable: true })
  longTexts: Record<string, string> | null;

  @Column({ type: 'text', name: 'input_refs', array: true, nullable: true })
  inputRefs: string[] | null;

  @Column({ type: 'text', name: 'output_refs', array: true, nullable: true })
  outputRefs: string[] | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
