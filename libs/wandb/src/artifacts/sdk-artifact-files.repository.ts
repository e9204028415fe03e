import { Injectable } from '@nestjs/common';
import { BlobsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';
import type pg from 'pg';

export interface SdkFile {
  path: string;
  sha256: string;
  /** Hex. */
  md5: string;
  /** In bytes. */
  size: number;
}

/** What a version names, and nobody here has. */
export interface SdkReference {
  path: string;
  ref: string;
  /** In bytes, as the client knows it. */
  size: number;
}

interface EntryRow extends Omit<Row, 'sha256'> {
  sha256: string | null;
  ref: string | null;
}

interface Row {
  path: string;
  sha256: string;
  md5: string | null;
  size_bytes: string;
}

const FILES = `
  SELECT f.path, f.sha256, b.md5, b.size_bytes FROM artifact_files f JOIN artifact_blobs b USING (sha256)
   WHERE f.version_id = $1 AND ($2::text IS NULL OR f.path > $2) AND ($3::text[] IS NULL OR f.path = ANY ($3))
   ORDER BY f.path LIMIT $4`;

/** With what the manifest only refers to. A reference with U+0000 is no address. */
const ENTRIES = `
  SELECT path, sha256, md5, size_bytes, ref FROM (
    SELECT f.path, f.sha256, b.md5, b.size_bytes, NULL AS ref
      FROM artifact_files f JOIN artifact_blobs b USING (sha256) WHERE f.version_id = $1
    UNION ALL
    SELECT e.key, NULL, NULL, coalesce(e.value ->> 'size', '0')::numeric::bigint, e.value ->> 'ref'
      FROM (SELECT manifest FROM sdk_artifacts
             WHERE version_id = $1 AND strpos(manifest, '"ref":') > 0 AND strpos(manifest, '\\u0000') = 0) AS s,
           json_each(s.manifest::json -> 'contents') AS e
     WHERE e.value ->> 'ref' IS NOT NULL) AS entry
   WHERE ($2::text IS NULL OR path COLLATE "C" > $2) AND ($3::text[] IS NULL OR path = ANY ($3))
   ORDER BY path COLLATE "C" LIMIT $4`;

/** Only what the caller may read anyway: somebody who knows no more than an MD5 is not to get the content. */
const HELD = `
  SELECT b.sha256 FROM artifact_blobs b
   WHERE b.md5 = $2 AND EXISTS (
     SELECT FROM artifact_files f
       JOIN artifact_versions v ON v.id = f.version_id
       JOIN artifact_collections c ON c.id = v.collection_id
       JOIN projects p ON p.id = c.project_id
      WHERE f.sha256 = b.sha256 AND (p.id = $1 OR p.team_id = $3) AND v.committed_at IS NOT NULL)
   LIMIT 1`;

/** Files of versions and drafts by their MD5. */
@Injectable()
export class SdkArtifactFilesRepository {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly blobs: BlobsService,
  ) {}

  async list(
    versionId: string,
    {
      after = null,
      names = null,
      limit = null,
    }: { after?: string | null; names?: string[] | null; limit?: number | null } = {},
  ): Promise<SdkFile[]> {
    const { rows } = await this.pool.query<Row>(FILES, [versionId, after, names, limit]);
    const files: SdkFile[] = [];
    for (const { path, sha256, md5, size_bytes } of rows) {
      const known = md5 ?? (await this.blobs.md5Of(sha256));
      if (known !== null) files.push({ path, sha256, md5: known, size: Number(size_bytes) });
    }
    return files;
  }

  /** Files and references, by path. */
  async entries(
    versionId: string,
    { after, names, limit }: { after: string | null; names: string[] | null; limit: number },
  ): Promise<(SdkFile | SdkReference)[]> {
    const { rows } = await this.pool.query<EntryRow>(ENTRIES, [versionId, after, names, limit]);
    const entries: (SdkFile | SdkReference)[] = [];
    for (const { path, sha256, md5, size_bytes, ref } of rows) {
      const size = Number(size_bytes);
      if (sha256 === null) {
        entries.push({ path, ref: ref!, size });
        continue;
      }
      const known = md5 ?? (await this.blobs.md5Of(sha256));
      if (known !== null) entries.push({ path, sha256, md5: known, size });
    }
    return entries;
  }

  /**
   * A content of this MD5 in a committed version of the project, or of any of the team's to those who are of the team, and
   * so read them all. @returns its SHA-256
   */
  async findHeld(caller: Principal, { id, teamId, entity }: ProjectRef, md5: string): Promise<string | null> {
    const values = [id, md5, caller.teams.has(entity) ? teamId : null];
    return (await this.pool.query<{ sha256: string }>(HELD, values)).rows[0]?.sha256 ?? null;
  }
}
