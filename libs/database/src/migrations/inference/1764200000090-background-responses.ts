import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BackgroundResponses1764200000090 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE background_responses (
        response_id text CONSTRAINT background_responses_pkey PRIMARY KEY
          CONSTRAINT background_responses_response_id_fkey REFERENCES responses ON DELETE CASCADE,
        is_streamed boolean NOT NULL,
        lease_until timestamptz
      );
      -- What may have lost its process.
      CREATE INDEX background_responses_lease_until_idx ON background_responses (lease_until) WHERE lease_until IS NOT NULL;
      CREATE TABLE response_events (
        response_id text NOT NULL CONSTRAINT response_events_response_id_fkey
          REFERENCES background_responses ON DELETE CASCADE,
        first integer NOT NULL,
        last integer NOT NULL,
        text text NOT NULL,
        CONSTRAINT response_events_pkey PRIMARY KEY (response_id, first)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE response_events; DROP TABLE background_responses;');
  }
}
