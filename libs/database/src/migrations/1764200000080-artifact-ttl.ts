import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For how long versions of artifacts stay: their own word, or else their collection's, or else their team's. */
export class ArtifactTtl1764200000080 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE artifact_versions ADD COLUMN ttl_seconds bigint;
      ALTER TABLE artifact_collections ADD COLUMN ttl_seconds bigint;
      ALTER TABLE teams ADD COLUMN artifact_ttl_seconds bigint;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE artifact_versions DROP COLUMN ttl_seconds;
      ALTER TABLE artifact_collections DROP COLUMN ttl_seconds;
      ALTER TABLE teams DROP COLUMN artifact_ttl_seconds;
    `);
  }
}
