import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Training1764200000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE models (
        id uuid CONSTRAINT models_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        project_id integer NOT NULL CONSTRAINT models_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        base_model text NOT NULL,
        run_id uuid CONSTRAINT models_run_id_fkey REFERENCES runs ON DELETE SET NULL,
        collection_id uuid CONSTRAINT models_collection_id_fkey REFERENCES artifact_collections ON DELETE SET NULL,
        next_step integer NOT NULL DEFAULT 1,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX models_project_id_name_key ON models (project_id, name);
      -- Pages of the list.
      CREATE INDEX models_project_id_created_at_idx ON models (project_id, created_at, id);
      CREATE INDEX models_run_id_idx ON models (run_id);
      CREATE INDEX models_collection_id_idx ON models (collection_id);

      CREATE TABLE training_jobs (
        id uuid CONSTRAINT training_jobs_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        model_id uuid NOT NULL CONSTRAINT training_jobs_model_id_fkey REFERENCES models ON DELETE CASCADE,
        kind text NOT NULL,
        state text NOT NULL DEFAULT 'QUEUED',
        config text NOT NULL,
        data text NOT NULL,
        sequence bigserial NOT NULL,
        from_step integer,
        step integer,
        num_sequences integer,
        attempts integer NOT NULL DEFAULT 0,
        error text,
        worker_id uuid,
        created_by_id uuid NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        cancel_requested_at timestamptz,
        started_at timestamptz,
        heartbeat_at timestamptz,
        ended_at timestamptz
      );
      -- The order in which a model's jobs run.
      CREATE UNIQUE INDEX training_jobs_model_id_sequence_key ON training_jobs (model_id, sequence);
      -- Pages of the list.
      CREATE INDEX training_jobs_model_id_created_at_idx ON training_jobs (model_id, created_at, id);
      -- One job of a model runs at a time.
      CREATE UNIQUE INDEX training_jobs_running_key ON training_jobs (model_id) WHERE (state = 'RUNNING'::text);
      -- What the sweeper looks for.
      CREATE INDEX training_jobs_open_idx ON training_jobs (sequence)
        WHERE (state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));
      -- Whether a stored file is still needed.
      CREATE INDEX training_jobs_data_idx ON training_jobs (data);

      CREATE TABLE training_job_events (
        id uuid CONSTRAINT training_job_events_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        job_id uuid NOT NULL CONSTRAINT training_job_events_job_id_fkey REFERENCES training_jobs ON DELETE CASCADE,
        position integer NOT NULL,
        type text NOT NULL,
        data text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      -- Pages of the list; and no event comes twice.
      CREATE UNIQUE INDEX training_job_events_job_id_position_key ON training_job_events (job_id, position);

      CREATE TABLE checkpoints (
        id uuid CONSTRAINT checkpoints_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        model_id uuid NOT NULL CONSTRAINT checkpoints_model_id_fkey REFERENCES models ON DELETE CASCADE,
        step integer NOT NULL,
        metrics text NOT NULL,
        version_id uuid NOT NULL CONSTRAINT checkpoints_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        training_job_id uuid CONSTRAINT checkpoints_training_job_id_fkey REFERENCES training_jobs ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      -- Also pages of the list.
      CREATE UNIQUE INDEX checkpoints_model_id_step_key ON checkpoints (model_id, step);
      CREATE UNIQUE INDEX checkpoints_version_id_key ON checkpoints (version_id);
      -- A job makes one checkpoint.
      CREATE UNIQUE INDEX checkpoints_training_job_id_key ON checkpoints (training_job_id);

      CREATE TABLE trajectory_logs (
        id uuid CONSTRAINT trajectory_logs_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        model_id uuid NOT NULL CONSTRAINT trajectory_logs_model_id_fkey REFERENCES models ON DELETE CASCADE,
        split text NOT NULL,
        step integer NOT NULL,
        path text NOT NULL,
        groups integer NOT NULL,
        trajectories integer NOT NULL,
        exceptions integer NOT NULL,
        metrics text NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      -- Pages of the list.
      CREATE INDEX trajectory_logs_model_id_created_at_idx ON trajectory_logs (model_id, created_at, id);
      -- Whether a stored file is still needed.
      CREATE INDEX trajectory_logs_path_idx ON trajectory_logs (path);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE trajectory_logs, checkpoints, training_job_events, training_jobs, models');
  }
}
