import { Injectable } from '@nestjs/common';
import { BlobsService } from '@heddle/artifacts';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

export interface SdkFile {
  path: string;
  sha256: string;
  /** Hex. */
  md5: string;
  /** In bytes. */
  size: number;
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

/** Only what the project holds: somebody who knows no more than an MD5 is not to get the content. */
const HELD = `
  SELECT b.sha256 FROM artifact_blobs b
   WHERE b.md5 = $2 AND EXISTS (
     SELECT FROM artifact_files f
       JOIN artifact_versions v ON v.id = f.version_id
       JOIN artifact_collections c ON c.id = v.collection_id
      WHERE f.sha256 = b.sha256 AND c.project_id = $1 AND v.committed_at IS NOT NULL)
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

  /** A content of this MD5 in a committed version of the project. @returns its SHA-256 */
  async findHeld(projectId: number, md5: string): Promise<string | null> {
    return (await this.pool.query<{ sha256: string }>(HELD, [projectId, md5])).rows[0]?.sha256 ?? null;
  }
}
