import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An ordered list of rows, known by the digest over its rows' digests. */
@Entity('trace_tables')
export class TraceTable {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_tables_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_tables_pkey' })
  digest: string;

  @Column('integer', { name: 'row_count' })
  rowCount: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A stretch of a table's list: a page is read without the rest of a list of 100,000 digests. */
@Entity('trace_table_chunks')
export class TraceTableChunk {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_table_chunks_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'table_digest',
    collation: 'C',
    primaryKeyConstraintName: 'trace_table_chunks_pkey',
  })
  tableDigest: string;

  /** Index of the first row in here. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'trace_table_chunks_pkey' })
  position: number;

  @Column({ type: 'text', name: 'row_digests', array: true })
  rowDigests: string[];
}

/** A row's own JSON text, stored once however many tables of the project hold it. */
@Entity('trace_table_rows')
export class TraceTableRow {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_table_rows_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_table_rows_pkey' })
  digest: string;

  @Column('text')
  val: string;

  /** Whether PostgreSQL's JSON functions can read `val`: what tables are sorted by. */
  @Column('boolean', { name: 'is_plain' })
  isPlain: boolean;
}
