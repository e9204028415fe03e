import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A project that was deleted, until its traces are gone too: these refer to it by no more than its id. */
@Entity('deleted_trace_projects')
export class DeletedTraceProject {
  @PrimaryColumn('integer', { name: 'project_id', primaryKeyConstraintName: 'deleted_trace_projects_pkey' })
  projectId: number;

  @Column('timestamptz', { name: 'deleted_at', default: () => 'now()' })
  deletedAt: Date;
}
