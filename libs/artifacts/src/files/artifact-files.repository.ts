import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

export interface StoredFile {
  path: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

interface Row {
  path: string;
  sha256: string;
  size_bytes: string;
}

const FILES = `
  SELECT f.path, f.sha256, b.size_bytes FROM artifact_files f JOIN artifact_blobs b USING (sha256)
   WHERE f.version_id = $1`;

/** Reads of the files of versions and drafts. */
@Injectable()
export class ArtifactFilesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async find(versionId: string, path: string): Promise<StoredFile | null> {
    const { rows } = await this.pool.query<Row>(`${FILES} AND f.path = $2`, [versionId, path]);
    return rows[0] ? toFile(rows[0]) : null;
  }

  /** By path, from the one after `after`: `limit` + 1 files, where there are as many. */
  async findPage(versionId: string, after: string | undefined, limit: number): Promise<StoredFile[]> {
    const { rows } = await this.pool.query<Row>(`${FILES} AND f.path > $2 ORDER BY f.path LIMIT $3`, [
      versionId,
      after ?? '',
      limit + 1,
    ]);
    return rows.map(toFile);
  }
}

const toFile = ({ path, sha256, size_bytes }: Row): StoredFile => ({ path, sha256, size: Number(size_bytes) });
