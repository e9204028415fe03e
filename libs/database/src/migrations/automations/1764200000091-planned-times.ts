import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a time to come was planned, so that a clock that is set back afterwards can be made up for. */
export class PlannedTimes1764200000091 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE automation_executions ADD COLUMN planned_at timestamptz;
      ALTER TABLE webhooks ADD COLUMN paused_at timestamptz;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE automation_executions DROP COLUMN planned_at;
      ALTER TABLE webhooks DROP COLUMN paused_at;
    `);
  }
}
