import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ArtifactBlob } from './artifact-file.entities.js';
import { Run } from './run.entity.js';

/** A file that a run's client uploaded: its console's log, its media. Its content is one of the artifacts' store. */
@Entity('run_files')
export class RunFile {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'run_files_pkey' })
  runId: string;

  /** With slashes; neither absolute nor with `..`. */
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'run_files_pkey' })
  path: string;

  @Index('run_files_sha256_idx')
  @Column({ type: 'text', collation: 'C' })
  sha256: string;

  @Column('timestamptz', { name: 'uploaded_at', default: () => 'now()' })
  uploadedAt: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'run_files_run_id_fkey' })
  run: Run;

  @ManyToOne(() => ArtifactBlob)
  @JoinColumn({ name: 'sha256', foreignKeyConstraintName: 'run_files_sha256_fkey' })
  blob: ArtifactBlob;
}
