import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1764200000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE teams (
        id uuid CONSTRAINT teams_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX teams_name_key ON teams (name);

      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        username text NOT NULL,
        email text,
        is_admin boolean NOT NULL DEFAULT false,
        default_team_id uuid CONSTRAINT users_default_team_id_fkey REFERENCES teams ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX users_username_key ON users (username);

      CREATE TABLE team_members (
        team_id uuid NOT NULL CONSTRAINT team_members_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT team_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT team_members_pkey PRIMARY KEY (team_id, user_id)
      );
      CREATE INDEX team_members_user_id_idx ON team_members (user_id);

      CREATE TABLE api_keys (
        id uuid CONSTRAINT api_keys_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id uuid NOT NULL CONSTRAINT api_keys_user_id_fkey REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        digest bytea NOT NULL,
        prefix text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        revoked_at timestamptz
      );
      CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);
      CREATE INDEX api_keys_user_id_idx ON api_keys (user_id);

      CREATE TABLE projects (
        id integer CONSTRAINT projects_pkey PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        team_id uuid NOT NULL CONSTRAINT projects_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        name text NOT NULL,
        retention_days integer,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX projects_team_id_name_key ON projects (team_id, name);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE projects, api_keys, team_members, users, teams');
  }
}
