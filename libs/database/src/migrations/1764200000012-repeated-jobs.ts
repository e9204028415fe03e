import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RepeatedJobs1764200000012 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE training_jobs ADD COLUMN request_key text;
      -- A request that is repeated makes no second job.
      CREATE UNIQUE INDEX training_jobs_request_key ON training_jobs (model_id, created_by_id, request_key)
        WHERE (request_key IS NOT NULL);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE training_jobs DROP COLUMN request_key');
  }
}
