import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeletedTraceProjects1764200000071 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE deleted_trace_projects (
        project_id integer CONSTRAINT deleted_trace_projects_pkey PRIMARY KEY,
        deleted_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE deleted_trace_projects');
  }
}
