import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Automations1764200000007 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE automation_scopes (
        key text COLLATE "C" CONSTRAINT automation_scopes_pkey PRIMARY KEY,
        version bigint NOT NULL
      );

      CREATE TABLE automations (
        id uuid CONSTRAINT automations_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        scope_key text COLLATE "C" NOT NULL,
        scope_type text NOT NULL,
        team_id uuid NOT NULL CONSTRAINT automations_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        project_id integer CONSTRAINT automations_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        registry_id uuid CONSTRAINT automations_registry_id_fkey REFERENCES registries ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        enabled boolean NOT NULL,
        event_type text NOT NULL,
        filter text NOT NULL,
        action_team_id uuid NOT NULL CONSTRAINT automations_action_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        webhook_id uuid NOT NULL,
        request_payload text NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      -- What an event looks for.
      CREATE INDEX automations_scope_key_event_type_idx ON automations (scope_key, event_type);
      -- Pages of the list.
      CREATE INDEX automations_team_id_created_at_idx ON automations (team_id, created_at, id);
      CREATE INDEX automations_project_id_idx ON automations (project_id);
      CREATE INDEX automations_registry_id_idx ON automations (registry_id);
      CREATE INDEX automations_action_team_id_idx ON automations (action_team_id);

      CREATE TABLE automation_events (
        id uuid CONSTRAINT automation_events_pkey PRIMARY KEY,
        team_id uuid NOT NULL CONSTRAINT automation_events_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        project_id integer CONSTRAINT automation_events_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        registry_id uuid CONSTRAINT automation_events_registry_id_fkey REFERENCES registries ON DELETE CASCADE,
        type text NOT NULL,
        event text NOT NULL,
        depth smallint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      -- Pages of the list of each kind of scope.
      CREATE INDEX automation_events_team_id_created_at_idx ON automation_events (team_id, created_at, id);
      CREATE INDEX automation_events_project_id_created_at_idx ON automation_events (project_id, created_at, id);
      CREATE INDEX automation_events_registry_id_created_at_idx ON automation_events (registry_id, created_at, id);

      CREATE TABLE automation_executions (
        id uuid CONSTRAINT automation_executions_pkey PRIMARY KEY,
        event_id uuid NOT NULL
          CONSTRAINT automation_executions_event_id_fkey REFERENCES automation_events ON DELETE CASCADE,
        automation_id uuid NOT NULL
          CONSTRAINT automation_executions_automation_id_fkey REFERENCES automations ON DELETE CASCADE,
        team_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        variables text,
        state text NOT NULL,
        reason text,
        attempts integer NOT NULL DEFAULT 0,
        round_attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT automation_executions_pending_check CHECK ((state = 'PENDING') = (next_attempt_at IS NOT NULL))
      );
      -- An event fires an automation once.
      CREATE UNIQUE INDEX automation_executions_firing_key ON automation_executions (event_id, automation_id);
      -- Pages of the list, and firings in the last minute.
      CREATE INDEX automation_executions_list_idx ON automation_executions (automation_id, created_at, id);
      CREATE INDEX automation_executions_team_id_created_at_idx ON automation_executions (team_id, created_at);
      -- What workers look for.
      CREATE INDEX automation_executions_due_idx ON automation_executions (webhook_id, next_attempt_at)
        WHERE (state = 'PENDING'::text);
      -- What a recovery looks for.
      CREATE INDEX automation_executions_lost_idx ON automation_executions (webhook_id, created_at)
        WHERE (state = ANY (ARRAY['FAILED'::text, 'SKIPPED'::text]));

      CREATE TABLE automation_attempts (
        id uuid CONSTRAINT automation_attempts_pkey PRIMARY KEY,
        execution_id uuid NOT NULL
          CONSTRAINT automation_attempts_execution_id_fkey REFERENCES automation_executions ON DELETE CASCADE,
        number integer NOT NULL,
        started_at timestamptz NOT NULL,
        duration_ms integer NOT NULL,
        status integer,
        error_code text,
        error text,
        response_headers text,
        response_body text
      );
      CREATE UNIQUE INDEX automation_attempts_number_key ON automation_attempts (execution_id, number);

      CREATE TABLE automation_run_firings (
        automation_id uuid NOT NULL
          CONSTRAINT automation_run_firings_automation_id_fkey REFERENCES automations ON DELETE CASCADE,
        run_id uuid NOT NULL CONSTRAINT automation_run_firings_run_id_fkey REFERENCES runs ON DELETE CASCADE,
        fired_at timestamptz NOT NULL,
        CONSTRAINT automation_run_firings_pkey PRIMARY KEY (automation_id, run_id)
      );
      CREATE INDEX automation_run_firings_run_id_idx ON automation_run_firings (run_id);

      CREATE TABLE webhook_lanes (
        webhook_id uuid CONSTRAINT webhook_lanes_pkey PRIMARY KEY,
        owner uuid NOT NULL,
        owned_until timestamptz NOT NULL
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE webhook_lanes, automation_run_firings, automation_attempts, automation_executions, automation_events,
        automations, automation_scopes
    `);
  }
}
