import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';
import { inTransaction } from '../store/in-transaction.js';

/**
 * Where file contents live. In the database, in chunks: API processes stay stateless, and a backup of the database is a
 * backup of everything.
 */
@Injectable()
export class FilesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Stores a file, unless the project has it. Of several at once, one writes and the others wait for it. */
  async save(projectId: number, digest: string, sizeBytes: number, chunks: () => AsyncIterable<Buffer>): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        'INSERT INTO trace_files (project_id, digest, size_bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [projectId, digest, sizeBytes],
      );
      if (rowCount === 1) await writeChunks(client, projectId, digest, chunks());
    });
  }

  async has(projectId: number, digest: string): Promise<boolean> {
    return (await this.size(projectId, digest)) !== null;
  }

  async size(projectId: number, digest: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ size_bytes: string }>(
      'SELECT size_bytes FROM trace_files WHERE project_id = $1 AND digest = $2',
      [projectId, digest],
    );
    return rows[0] ? Number(rows[0].size_bytes) : null;
  }

  /** A file's bytes, a chunk in memory at a time and no connection held between them. */
  async *read(projectId: number, digest: string): AsyncGenerator<Buffer, void> {
    for (let position = 0; ; position++) {
      const { rows } = await this.pool.query<{ bytes: Buffer }>(
        'SELECT bytes FROM trace_file_chunks WHERE project_id = $1 AND file_digest = $2 AND position = $3',
        [projectId, digest, position],
      );
      if (!rows[0]) return;
      yield rows[0].bytes;
    }
  }

  async totalSize(projectId: number): Promise<number> {
    const { rows } = await this.pool.query<{ total: string }>(
      'SELECT COALESCE(sum(size_bytes), 0) AS total FROM trace_files WHERE project_id = $1',
      [projectId],
    );
    return Number(rows[0]!.total);
  }
}

async function writeChunks(
  client: pg.PoolClient,
  projectId: number,
  digest: string,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  let position = 0;
  for await (const bytes of chunks) {
    await client.query(
      'INSERT INTO trace_file_chunks (project_id, file_digest, position, bytes) VALUES ($1, $2, $3, $4)',
      [projectId, digest, position++, bytes],
    );
  }
}
