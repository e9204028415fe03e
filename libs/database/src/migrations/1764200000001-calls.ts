import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Calls1764200000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE calls (
        project_id integer NOT NULL,
        id text COLLATE "C" NOT NULL,
        trace_id text COLLATE "C",
        parent_id text COLLATE "C",
        thread_id text COLLATE "C",
        turn_id text COLLATE "C",
        op_name text COLLATE "C",
        display_name text,
        started_at timestamptz,
        ended_at timestamptz,
        exception text,
        wb_user_id text COLLATE "C",
        wb_run_id text COLLATE "C",
        wb_run_step bigint,
        wb_run_step_end bigint,
        attributes text,
        inputs text,
        output text,
        summary text,
        otel_dump text,
        attributes_search text,
        inputs_search text,
        output_search text,
        summary_search text,
        long_texts jsonb,
        input_refs text[],
        output_refs text[],
        created_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        CONSTRAINT calls_pkey PRIMARY KEY (project_id, id)
      );

      -- The default order (started_at, id), pages and retention. With deleted_at, a count needn't look at the table.
      CREATE INDEX calls_started_at_idx ON calls (project_id, started_at, id) INCLUDE (deleted_at);
      -- The two filters that every user interface of traces starts from. Only queries use these, and they see no deleted call.
      CREATE INDEX calls_op_name_idx ON calls (project_id, op_name, started_at) WHERE deleted_at IS NULL;
      CREATE INDEX calls_roots_idx ON calls (project_id, started_at) WHERE parent_id IS NULL AND deleted_at IS NULL;
      CREATE INDEX calls_trace_id_idx ON calls (project_id, trace_id);
      -- Children of a call: deletion cascades along it.
      CREATE INDEX calls_parent_id_idx ON calls (project_id, parent_id) WHERE parent_id IS NOT NULL;
      CREATE INDEX calls_thread_id_idx ON calls (project_id, thread_id) WHERE thread_id IS NOT NULL;
      CREATE INDEX calls_turn_id_idx ON calls (project_id, turn_id) WHERE turn_id IS NOT NULL;
      CREATE INDEX calls_wb_run_id_idx ON calls (project_id, wb_run_id) WHERE wb_run_id IS NOT NULL;
      CREATE INDEX calls_input_refs_idx ON calls USING gin (input_refs) WHERE input_refs IS NOT NULL;
      CREATE INDEX calls_output_refs_idx ON calls USING gin (output_refs) WHERE output_refs IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE calls');
  }
}
