import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditLog1764200000070 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- No foreign keys: what was done stays known when who did it, or where, is gone.
      CREATE TABLE audit_entries (
        id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT audit_entries_pkey PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        user_id uuid NOT NULL,
        username text NOT NULL,
        team_id uuid,
        team text,
        action text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        fields text[] NOT NULL,
        subject text,
        outcome text NOT NULL DEFAULT 'UNKNOWN',
        request_id text NOT NULL
      );
      CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at, id);
      CREATE INDEX audit_entries_team_id_created_at_idx ON audit_entries (team_id, created_at, id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE audit_entries');
  }
}
