import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

/** Most runs or versions of one answer. */
const MAX = 1000;

/** Which runs made and used which versions. Whether the caller may see them is for those who look them up. */
@Injectable()
export class LineageService {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async use(runId: string, versionId: string): Promise<void> {
    const sql = 'INSERT INTO artifact_uses (run_id, version_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    await this.pool.query(sql, [runId, versionId]);
  }

  madeBy(runId: string): Promise<string[]> {
    return this.ids(
      `SELECT v.id FROM sdk_artifacts s JOIN artifact_versions v ON v.id = s.version_id
        WHERE s.run_id = $1 AND v.committed_at IS NOT NULL ORDER BY v.committed_at, v.id LIMIT ${MAX}`,
      runId,
    );
  }

  usedBy(runId: string): Promise<string[]> {
    return this.ids(
      `SELECT version_id AS id FROM artifact_uses WHERE run_id = $1 ORDER BY used_at, version_id LIMIT ${MAX}`,
      runId,
    );
  }

  usersOf(versionId: string): Promise<string[]> {
    return this.ids(
      `SELECT run_id AS id FROM artifact_uses WHERE version_id = $1 ORDER BY used_at, run_id LIMIT ${MAX}`,
      versionId,
    );
  }

  private async ids(sql: string, id: string): Promise<string[]> {
    return (await this.pool.query<{ id: string }>(sql, [id])).rows.map((row) => row.id);
  }
}
