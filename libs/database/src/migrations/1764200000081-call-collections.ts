import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallCollections1764200000081 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE annotation_queues (
        project_id integer NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text NOT NULL,
        scorer_refs text[] NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        CONSTRAINT annotation_queues_pkey PRIMARY KEY (project_id, id)
      );
      CREATE TABLE annotation_queue_items (
        project_id integer NOT NULL,
        id text COLLATE "C" NOT NULL,
        queue_id text COLLATE "C" NOT NULL,
        call_id text COLLATE "C" NOT NULL,
        call_started_at timestamptz NOT NULL,
        call_ended_at timestamptz,
        call_op_name text COLLATE "C" NOT NULL,
        call_trace_id text COLLATE "C" NOT NULL,
        long_texts jsonb,
        display_fields text[] NOT NULL,
        added_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT annotation_queue_items_pkey PRIMARY KEY (project_id, id)
      );
      -- A call is in a queue once.
      CREATE UNIQUE INDEX annotation_queue_items_call_key ON annotation_queue_items (project_id, queue_id, call_id);
      CREATE INDEX annotation_queue_items_call_idx ON annotation_queue_items (project_id, call_id);
      CREATE TABLE annotation_progress (
        project_id integer NOT NULL,
        item_id text COLLATE "C" NOT NULL,
        annotator text COLLATE "C" NOT NULL,
        state text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT annotation_progress_pkey PRIMARY KEY (project_id, item_id, annotator)
      );
      CREATE TABLE dataset_sources (
        project_id integer NOT NULL,
        id text COLLATE "C" NOT NULL,
        dataset_object_id text COLLATE "C" NOT NULL,
        row_digest text COLLATE "C" NOT NULL,
        source_kind text NOT NULL,
        source_id text COLLATE "C" NOT NULL,
        source_trace_id text COLLATE "C" NOT NULL,
        source_started_at timestamptz NOT NULL,
        source_display_name text NOT NULL,
        link_metadata text,
        added_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        CONSTRAINT dataset_sources_pkey PRIMARY KEY (project_id, id)
      );
      CREATE INDEX dataset_sources_dataset_idx ON dataset_sources (project_id, dataset_object_id, row_digest);
      CREATE INDEX dataset_sources_source_idx ON dataset_sources (project_id, source_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE annotation_queues, annotation_queue_items, annotation_progress, dataset_sources');
  }
}
