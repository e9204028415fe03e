import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TraceObjects1764200000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE trace_objects (
        project_id integer NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        digest text COLLATE "C" NOT NULL,
        version_index integer NOT NULL,
        kind text NOT NULL,
        base_object_class text COLLATE "C",
        leaf_object_class text COLLATE "C",
        val text NOT NULL,
        wb_user_id text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        CONSTRAINT trace_objects_pkey PRIMARY KEY (project_id, object_id, digest)
      );
      -- Numbers the versions of an object, and finds the latest.
      CREATE UNIQUE INDEX trace_objects_version_key ON trace_objects (project_id, object_id, kind, version_index);
      CREATE INDEX trace_objects_base_class_idx ON trace_objects (project_id, base_object_class);

      CREATE TABLE trace_object_tags (
        project_id integer NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        digest text COLLATE "C" NOT NULL,
        tag text COLLATE "C" NOT NULL,
        CONSTRAINT trace_object_tags_pkey PRIMARY KEY (project_id, object_id, digest, tag)
      );

      CREATE TABLE trace_object_aliases (
        project_id integer NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        alias text COLLATE "C" NOT NULL,
        digest text COLLATE "C" NOT NULL,
        CONSTRAINT trace_object_aliases_pkey PRIMARY KEY (project_id, object_id, alias)
      );

      CREATE TABLE trace_tables (
        project_id integer NOT NULL,
        digest text COLLATE "C" NOT NULL,
        row_count integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT trace_tables_pkey PRIMARY KEY (project_id, digest)
      );

      CREATE TABLE trace_table_chunks (
        project_id integer NOT NULL,
        table_digest text COLLATE "C" NOT NULL,
        position integer NOT NULL,
        row_digests text[] NOT NULL,
        CONSTRAINT trace_table_chunks_pkey PRIMARY KEY (project_id, table_digest, position)
      );

      CREATE TABLE trace_table_rows (
        project_id integer NOT NULL,
        digest text COLLATE "C" NOT NULL,
        val text NOT NULL,
        is_plain boolean NOT NULL,
        CONSTRAINT trace_table_rows_pkey PRIMARY KEY (project_id, digest)
      );

      CREATE TABLE trace_files (
        project_id integer NOT NULL,
        digest text COLLATE "C" NOT NULL,
        size_bytes bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT trace_files_pkey PRIMARY KEY (project_id, digest)
      );

      CREATE TABLE trace_file_chunks (
        project_id integer NOT NULL,
        file_digest text COLLATE "C" NOT NULL,
        position integer NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT trace_file_chunks_pkey PRIMARY KEY (project_id, file_digest, position)
      );
      -- Files are images, audio and pickles: compressed already.
      ALTER TABLE trace_file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

      CREATE TABLE feedback (
        project_id integer NOT NULL,
        id text COLLATE "C" NOT NULL,
        weave_ref text COLLATE "C" NOT NULL,
        feedback_type text COLLATE "C" NOT NULL,
        payload text NOT NULL,
        details text NOT NULL,
        payload_search text,
        creator text,
        annotation_ref text COLLATE "C",
        runnable_ref text COLLATE "C",
        call_ref text COLLATE "C",
        trigger_ref text COLLATE "C",
        queue_id text COLLATE "C",
        wb_user_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT feedback_pkey PRIMARY KEY (project_id, id)
      );
      -- What a call's reader asks for.
      CREATE INDEX feedback_weave_ref_idx ON feedback (project_id, weave_ref);
      CREATE INDEX feedback_created_at_idx ON feedback (project_id, created_at);

      CREATE TABLE model_prices (
        id uuid CONSTRAINT model_prices_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        project_id integer NOT NULL,
        llm_id text COLLATE "C" NOT NULL,
        provider_id text NOT NULL,
        prompt_token_cost double precision NOT NULL,
        completion_token_cost double precision NOT NULL,
        cache_read_input_token_cost double precision NOT NULL,
        cache_creation_input_token_cost double precision NOT NULL,
        prompt_token_cost_unit text NOT NULL,
        completion_token_cost_unit text NOT NULL,
        effective_date timestamptz NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX model_prices_llm_id_idx ON model_prices (project_id, llm_id, effective_date);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE model_prices, feedback, trace_file_chunks, trace_files, trace_table_rows, trace_table_chunks,
        trace_tables, trace_object_aliases, trace_object_tags, trace_objects
    `);
  }
}
