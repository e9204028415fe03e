import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CauseTokens1764200000032 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Known to the receiver of the execution alone: its id is shown to many.
      ALTER TABLE automation_executions ADD COLUMN cause_token uuid NOT NULL DEFAULT gen_random_uuid();
      ALTER TABLE automation_events ADD COLUMN chain uuid[] NOT NULL DEFAULT '{}';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE automation_events DROP COLUMN chain;
      ALTER TABLE automation_executions DROP COLUMN cause_token;
    `);
  }
}
