import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a run says that logs through the wandb SDK: words of its own, its summary, the lines of its streams, its files. */
export class SdkRuns1764200000030 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs
        ADD COLUMN client_config text,
        ADD COLUMN summary text NOT NULL DEFAULT '{}',
        ADD COLUMN notes text,
        ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
        ADD COLUMN group_name text,
        ADD COLUMN job_type text,
        ADD COLUMN host text,
        ADD COLUMN program text,
        ADD COLUMN git_commit text,
        ADD COLUMN heartbeat_at timestamptz,
        ADD COLUMN stop_requested boolean NOT NULL DEFAULT false;
      -- Those that fell silent are looked for every minute.
      CREATE INDEX runs_heartbeat_idx ON runs (heartbeat_at) WHERE state = 'RUNNING' AND heartbeat_at IS NOT NULL;

      CREATE TABLE run_lines (
        run_id uuid NOT NULL CONSTRAINT run_lines_run_id_fkey REFERENCES runs ON DELETE CASCADE,
        stream text COLLATE "C" NOT NULL,
        line_no integer NOT NULL,
        step bigint,
        body text NOT NULL,
        CONSTRAINT run_lines_pkey PRIMARY KEY (run_id, stream, line_no)
      );
      -- Pages of the history, which go by step.
      CREATE INDEX run_lines_step_idx ON run_lines (run_id, stream, step);

      CREATE TABLE run_files (
        run_id uuid NOT NULL CONSTRAINT run_files_run_id_fkey REFERENCES runs ON DELETE CASCADE,
        path text COLLATE "C" NOT NULL,
        sha256 text COLLATE "C" NOT NULL CONSTRAINT run_files_sha256_fkey REFERENCES artifact_blobs,
        uploaded_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT run_files_pkey PRIMARY KEY (run_id, path)
      );
      -- Whether anything still uses a content.
      CREATE INDEX run_files_sha256_idx ON run_files (sha256);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE run_files, run_lines;
      ALTER TABLE runs DROP COLUMN client_config, DROP COLUMN summary, DROP COLUMN notes, DROP COLUMN tags,
        DROP COLUMN group_name, DROP COLUMN job_type, DROP COLUMN host, DROP COLUMN program, DROP COLUMN git_commit,
        DROP COLUMN heartbeat_at, DROP COLUMN stop_requested;
    `);
  }
}
