import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Runs1764200000004 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE runs (
        id uuid CONSTRAINT runs_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        project_id integer NOT NULL CONSTRAINT runs_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        display_name text NOT NULL,
        state text NOT NULL,
        config text NOT NULL,
        created_by text NOT NULL,
        last_step bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        state_changed_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX runs_project_id_name_key ON runs (project_id, name);
      -- Pages of the list.
      CREATE INDEX runs_project_id_created_at_idx ON runs (project_id, created_at, id);

      CREATE TABLE run_metrics (
        run_id uuid NOT NULL CONSTRAINT run_metrics_run_id_fkey REFERENCES runs ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        step bigint NOT NULL,
        value double precision NOT NULL,
        logged_at timestamptz NOT NULL,
        -- Also what windows over the last values of a metric read.
        CONSTRAINT run_metrics_pkey PRIMARY KEY (run_id, name, step)
      );
      -- Pages of the history, which go by step.
      CREATE INDEX run_metrics_step_idx ON run_metrics (run_id, step);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE run_metrics, runs');
  }
}
