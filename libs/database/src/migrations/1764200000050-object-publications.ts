import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ObjectPublications1764200000050 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE trace_objects ADD published bigserial NOT NULL;
      -- Until now the highest version was the latest.
      UPDATE trace_objects o SET published = numbered.n
      FROM (
        SELECT project_id, object_id, digest, row_number() OVER (ORDER BY version_index, created_at) AS n
        FROM trace_objects
      ) AS numbered
      WHERE (o.project_id, o.object_id, o.digest) = (numbered.project_id, numbered.object_id, numbered.digest);
      -- Finds the latest version of an object.
      CREATE INDEX trace_objects_latest_idx ON trace_objects (project_id, object_id, kind, published);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE trace_objects DROP published');
  }
}
