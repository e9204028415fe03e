import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProjectMembers1764200000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE project_members (
        project_id integer NOT NULL CONSTRAINT project_members_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT project_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT project_members_pkey PRIMARY KEY (project_id, user_id)
      );
      CREATE INDEX project_members_user_id_idx ON project_members (user_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE project_members');
  }
}
