import { Injectable } from '@nestjs/common';
import { InjectPool, type ObjectKind } from '@heddle/database';
import { decodeText } from '@heddle/json';
import type pg from 'pg';
import { type ObjectDetails, type ObjectRow, objectColumns } from './object-row.js';

export interface NewObjectRow {
  objectId: string;
  digest: string;
  kind: ObjectKind;
  baseClass: string | null;
  leafClass: string | null;
  /** JSON text. */
  val: Buffer;
  wbUserId: string;
}

/** Which version of which object: `latest`, `v3`, an alias or a digest. Names in their stored form. */
export interface WantedObject {
  objectId: string;
  version: string;
  /** Any, objects before ops, if left out. */
  kind?: ObjectKind;
}

/** As the wire names it. */
export interface DeletedVersion {
  digest: string;
  base_object_class: string | null;
  leaf_object_class: string | null;
}

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class ObjectsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Adds a version, revives a deleted one, or lets an older one be the latest again. */
  async save(projectId: number, row: NewObjectRow): Promise<void> {
    const values = [projectId, row.objectId, row.digest, row.kind, row.baseClass, row.leafClass, row.val, row.wbUserId];
    for (;;) {
      try {
        await this.pool.query(SAVE, values);
        return;
      } catch (error) {
        // Another version took the number at the same time: take the next.
        if (!isVersionTaken(error)) throw error;
      }
    }
  }

  /** One row, or undefined, for each of the wanted, in their order. Deleted versions are found by digest and number. */
  async findMany(
    projectId: number,
    wanted: WantedObject[],
    details: ObjectDetails,
  ): Promise<(ObjectRow | undefined)[]> {
    const { rows } = await this.pool.query<ObjectRow & { n: number }>(findMany(details), [
      projectId,
      wanted.map(({ objectId }) => objectId),
      wanted.map(({ version }) => version),
      wanted.map(({ version }) => versionIndex(version)),
      wanted.map(({ kind }) => kind ?? null),
    ]);
    const found = new Array<ObjectRow | undefined>(wanted.length).fill(undefined);
    for (const row of rows) found[row.n - 1] = row;
    return found;
  }

  /** Marks versions as deleted; all of them where no digests are given. Returns those that were alive. */
  async delete(projectId: number, objectId: string, digests: string[] | null): Promise<DeletedVersion[]> {
    const { rows } = await this.pool.query<DeletedVersion>(
      `UPDATE trace_objects SET deleted_at = now()
       WHERE project_id = $1 AND object_id = $2 AND ($3::text[] IS NULL OR digest = ANY($3)) AND deleted_at IS NULL
       RETURNING digest, base_object_class, leaf_object_class`,
      [projectId, objectId, digests],
    );
    return rows.map((row) => ({
      digest: row.digest,
      base_object_class: row.base_object_class && decodeText(row.base_object_class),
      leaf_object_class: row.leaf_object_class && decodeText(row.leaf_object_class),
    }));
  }
}

function isVersionTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'trace_objects_version_key';
}

/** `v12` -> 12, or null. */
function versionIndex(version: string): number | null {
  return /^v\d{1,9}$/.test(version) ? Number(version.slice(1)) : null;
}

const SAVE = `
  INSERT INTO trace_objects
    (project_id, object_id, digest, kind, base_object_class, leaf_object_class, val, wb_user_id, version_index)
  VALUES ($1, $2, $3, $4, $5, $6, $7::text, $8, (
    SELECT COALESCE(max(version_index) + 1, 0) FROM trace_objects
    WHERE project_id = $1 AND object_id = $2 AND kind = $4))
  ON CONFLICT ON CONSTRAINT trace_objects_pkey DO UPDATE SET deleted_at = NULL, published = DEFAULT
  WHERE trace_objects.deleted_at IS NOT NULL OR EXISTS (
    SELECT FROM trace_objects l
    WHERE l.project_id = $1 AND l.object_id = $2 AND l.kind = $4
      AND l.published > trace_objects.published AND l.deleted_at IS NULL)`;

// A digest goes before an alias that looks like one, and what was published last before the rest.
const findMany = (details: ObjectDetails): string => `
  SELECT w.n::int AS n, o.*
  FROM unnest($2::text[], $3::text[], $4::int[], $5::text[])
    WITH ORDINALITY AS w (object_id, version, version_index, kind, n)
  CROSS JOIN LATERAL (
    SELECT ${objectColumns(details)} FROM trace_objects o
    WHERE o.project_id = $1 AND o.object_id = w.object_id AND (w.kind IS NULL OR o.kind = w.kind)
      AND CASE
        WHEN w.version = 'latest' THEN o.deleted_at IS NULL
        WHEN w.version_index IS NOT NULL THEN o.version_index = w.version_index
        ELSE o.digest = w.version OR o.digest = (
          SELECT a.digest FROM trace_object_aliases a
          WHERE a.project_id = $1 AND a.object_id = w.object_id AND a.alias = w.version)
      END
    ORDER BY o.kind, o.digest <> w.version, o.published DESC
    LIMIT 1
  ) o`;
