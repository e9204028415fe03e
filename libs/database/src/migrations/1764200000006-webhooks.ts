import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1764200000006 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE secrets (
        id uuid CONSTRAINT secrets_pkey PRIMARY KEY,
        team_id uuid NOT NULL CONSTRAINT secrets_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        version integer NOT NULL,
        key_id text NOT NULL,
        nonce bytea NOT NULL,
        ciphertext bytea NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX secrets_team_id_name_key ON secrets (team_id, name);
      -- What a re-wrapping for a new key looks for.
      CREATE INDEX secrets_key_id_idx ON secrets (key_id);

      CREATE TABLE webhooks (
        id uuid CONSTRAINT webhooks_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        team_id uuid NOT NULL CONSTRAINT webhooks_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        name text NOT NULL,
        url_endpoint text NOT NULL,
        access_token_ref text COLLATE "C",
        secret_ref text COLLATE "C",
        enabled boolean NOT NULL,
        disabled_reason text,
        consecutive_failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz,
        paused_until timestamptz,
        last_success_at timestamptz,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        -- No cascade: a secret that a webhook needs can't be deleted.
        CONSTRAINT webhooks_access_token_fkey FOREIGN KEY (team_id, access_token_ref) REFERENCES secrets (team_id, name),
        CONSTRAINT webhooks_secret_fkey FOREIGN KEY (team_id, secret_ref) REFERENCES secrets (team_id, name)
      );
      CREATE UNIQUE INDEX webhooks_team_id_name_key ON webhooks (team_id, name);
      CREATE INDEX webhooks_access_token_ref_idx ON webhooks (team_id, access_token_ref);
      CREATE INDEX webhooks_secret_ref_idx ON webhooks (team_id, secret_ref);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE webhooks, secrets');
  }
}
