import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallRetention1764200000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Deleted calls of all projects, the oldest first: pruning would read every call to find them.
    await db.query('CREATE INDEX calls_deleted_at_idx ON calls (deleted_at) WHERE deleted_at IS NOT NULL');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX calls_deleted_at_idx');
  }
}
