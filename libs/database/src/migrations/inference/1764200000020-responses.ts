import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Responses1764200000020 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE responses (
        id text CONSTRAINT responses_pkey PRIMARY KEY,
        team_id uuid CONSTRAINT responses_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT responses_user_id_fkey REFERENCES users ON DELETE CASCADE,
        previous_id text,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz NOT NULL DEFAULT now()
      );
      -- What goes with a team, and with a user.
      CREATE INDEX responses_team_id_idx ON responses (team_id);
      CREATE INDEX responses_user_id_idx ON responses (user_id);
      -- What has not been used for long.
      CREATE INDEX responses_used_at_idx ON responses (used_at);
      CREATE TABLE response_items (
        response_id text NOT NULL CONSTRAINT response_items_response_id_fkey REFERENCES responses ON DELETE CASCADE,
        position integer NOT NULL,
        id text NOT NULL,
        is_output boolean NOT NULL,
        item text NOT NULL,
        CONSTRAINT response_items_pkey PRIMARY KEY (response_id, position)
      );
      -- Items that a request refers to.
      CREATE INDEX response_items_id_idx ON response_items (id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE response_items; DROP TABLE responses;');
  }
}
