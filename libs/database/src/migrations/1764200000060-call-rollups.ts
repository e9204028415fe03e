import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallRollups1764200000060 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Sums over the calls that started within a minute: what statistics and counts of a whole project read.
      CREATE TABLE call_minutes (
        project_id integer NOT NULL,
        minute timestamptz NOT NULL,
        calls integer NOT NULL,
        ended integer NOT NULL,
        errors integer NOT NULL,
        latency_ms numeric NOT NULL,
        CONSTRAINT call_minutes_pkey PRIMARY KEY (project_id, minute)
      );

      -- The same of what they used, by model. A model's name may be too long for an index: they are numbered.
      CREATE TABLE call_usage_minutes (
        project_id integer NOT NULL,
        minute timestamptz NOT NULL,
        place integer NOT NULL,
        model text COLLATE "C" NOT NULL,
        calls integer NOT NULL,
        input_tokens numeric NOT NULL,
        output_tokens numeric NOT NULL,
        total_tokens numeric NOT NULL,
        cache_read_input_tokens numeric NOT NULL,
        cache_creation_input_tokens numeric NOT NULL,
        uncached_input_tokens numeric NOT NULL,
        CONSTRAINT call_usage_minutes_pkey PRIMARY KEY (project_id, minute, place)
      );

      -- Minutes whose calls have changed since their sums were made. Many of one minute, so that nobody waits for anybody.
      CREATE TABLE call_changes (
        id bigint GENERATED ALWAYS AS IDENTITY,
        project_id integer NOT NULL,
        minute timestamptz NOT NULL,
        -- Of a call that is no longer below this one, which its minute's calls can't tell.
        former_parent_id text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT call_changes_pkey PRIMARY KEY (id)
      );
      CREATE INDEX call_changes_project_idx ON call_changes (project_id, minute);

      CREATE FUNCTION call_minute(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN date_bin(interval '1 minute', at, timestamptz '2000-01-01T00:00:00Z');

      CREATE FUNCTION note_new_calls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO call_changes (project_id, minute)
        SELECT DISTINCT project_id, call_minute(started_at) FROM new_calls WHERE started_at IS NOT NULL;
        RETURN NULL;
      END $$;

      CREATE FUNCTION note_changed_calls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO call_changes (project_id, minute)
        SELECT project_id, call_minute(started_at) FROM new_calls WHERE started_at IS NOT NULL
        UNION
        SELECT project_id, call_minute(started_at) FROM old_calls WHERE started_at IS NOT NULL;
        INSERT INTO call_changes (project_id, minute, former_parent_id)
        SELECT o.project_id, call_minute(o.started_at), o.parent_id FROM old_calls o JOIN new_calls n USING (project_id, id)
        WHERE o.started_at IS NOT NULL AND o.parent_id <> coalesce(n.parent_id, '');
        RETURN NULL;
      END $$;

      CREATE FUNCTION note_gone_calls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO call_changes (project_id, minute)
        SELECT DISTINCT project_id, call_minute(started_at) FROM old_calls WHERE started_at IS NOT NULL;
        INSERT INTO call_changes (project_id, minute, former_parent_id)
        SELECT DISTINCT o.project_id, call_minute(o.started_at), o.parent_id FROM old_calls o
        CROSS JOIN LATERAL (SELECT FROM calls WHERE project_id = o.project_id AND id = o.parent_id OFFSET 0) parent
        WHERE o.started_at IS NOT NULL;
        RETURN NULL;
      END $$;

      CREATE TRIGGER note_new_calls AFTER INSERT ON calls REFERENCING NEW TABLE AS new_calls
        FOR EACH STATEMENT EXECUTE FUNCTION note_new_calls();
      CREATE TRIGGER note_changed_calls AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_calls NEW TABLE AS new_calls
        FOR EACH STATEMENT EXECUTE FUNCTION note_changed_calls();
      CREATE TRIGGER note_gone_calls AFTER DELETE ON calls REFERENCING OLD TABLE AS old_calls
        FOR EACH STATEMENT EXECUTE FUNCTION note_gone_calls();

      -- Of the calls that are there the worker makes the sums as if they had just come.
      INSERT INTO call_changes (project_id, minute)
      SELECT DISTINCT project_id, call_minute(started_at) FROM calls WHERE started_at IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER note_gone_calls ON calls;
      DROP TRIGGER note_changed_calls ON calls;
      DROP TRIGGER note_new_calls ON calls;
      DROP FUNCTION note_gone_calls();
      DROP FUNCTION note_changed_calls();
      DROP FUNCTION note_new_calls();
      DROP FUNCTION call_minute(timestamptz);
      DROP TABLE call_changes;
      DROP TABLE call_usage_minutes;
      DROP TABLE call_minutes;
    `);
  }
}
