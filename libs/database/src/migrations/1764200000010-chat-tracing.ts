import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChatTracing1764200000010 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE projects ADD COLUMN chat_tracing boolean NOT NULL DEFAULT false');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE projects DROP COLUMN chat_tracing');
  }
}
