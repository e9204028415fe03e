import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file of a project, known by the digest of its bytes. */
@Entity('trace_files')
export class TraceFile {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_files_pkey' })
  projectId: number;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'trace_files_pkey' })
  digest: string;

  /** A bigint, hence text. */
  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

@Entity('trace_file_chunks')
export class TraceFileChunk {
  @PrimaryColumn({ type: 'integer', name: 'project_id', primaryKeyConstraintName: 'trace_file_chunks_pkey' })
  projectId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'file_digest',
    collation: 'C',
    primaryKeyConstraintName: 'trace_file_chunks_pkey',
  })
  fileDigest: string;

  /** Counts a file's chunks from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'trace_file_chunks_pkey' })
  position: number;

  @Column('bytea')
  bytes: Buffer;
}
