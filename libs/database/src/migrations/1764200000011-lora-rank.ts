import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LoraRank1764200000011 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // null, which the models that are there have: the default of the base model.
    await db.query('ALTER TABLE models ADD COLUMN lora_rank integer');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE models DROP COLUMN lora_rank');
  }
}
