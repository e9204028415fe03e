import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the wandb SDK says of artifacts that others don't: MD5 of contents, its manifests and ids, who made and used them. */
export class SdkArtifacts1764200000031 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE artifact_blobs ADD COLUMN md5 text COLLATE "C";
      -- Whether the project has a content that a client announces.
      CREATE INDEX artifact_blobs_md5_idx ON artifact_blobs (md5);

      CREATE TABLE sdk_artifacts (
        version_id uuid CONSTRAINT sdk_artifacts_pkey PRIMARY KEY
          CONSTRAINT sdk_artifacts_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        digest text COLLATE "C" NOT NULL,
        client_id text,
        sequence_client_id text,
        distributed_id text,
        run_id uuid CONSTRAINT sdk_artifacts_run_id_fkey REFERENCES runs ON DELETE SET NULL,
        history_step bigint,
        aliases text[] NOT NULL DEFAULT '{}',
        tags text[] NOT NULL DEFAULT '{}',
        manifest text
      );
      CREATE INDEX sdk_artifacts_client_id_idx ON sdk_artifacts (client_id);
      CREATE INDEX sdk_artifacts_sequence_client_id_idx ON sdk_artifacts (sequence_client_id);
      -- What a run made.
      CREATE INDEX sdk_artifacts_run_id_idx ON sdk_artifacts (run_id);

      CREATE TABLE sdk_manifests (
        id uuid CONSTRAINT sdk_manifests_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        version_id uuid NOT NULL
          CONSTRAINT sdk_manifests_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        type text NOT NULL,
        base_version_id uuid,
        body text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX sdk_manifests_version_id_idx ON sdk_manifests (version_id);

      CREATE TABLE artifact_uses (
        run_id uuid NOT NULL CONSTRAINT artifact_uses_run_id_fkey REFERENCES runs ON DELETE CASCADE,
        version_id uuid NOT NULL
          CONSTRAINT artifact_uses_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT artifact_uses_pkey PRIMARY KEY (run_id, version_id)
      );
      CREATE INDEX artifact_uses_version_id_idx ON artifact_uses (version_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE artifact_uses, sdk_manifests, sdk_artifacts;
      ALTER TABLE artifact_blobs DROP COLUMN md5;
    `);
  }
}
