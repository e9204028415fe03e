import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contents that exports hold: the store of the files may be on another machine, where a file has no second name. */
export class HeldBlobs1764200000092 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE held_blobs (
        holder uuid NOT NULL,
        sha256 text COLLATE "C" NOT NULL,
        held_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT held_blobs_pkey PRIMARY KEY (holder, sha256),
        CONSTRAINT held_blobs_sha256_fkey FOREIGN KEY (sha256) REFERENCES artifact_blobs (sha256)
      );
      CREATE INDEX held_blobs_sha256_idx ON held_blobs (sha256);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE held_blobs');
  }
}
