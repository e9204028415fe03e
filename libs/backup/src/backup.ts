import { rename, rm, stat } from 'node:fs/promises';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { ArchiveWriter } from './archive.js';
import { BackupError } from './backup.errors.js';
import { HeldFiles } from './data-files.js';
import type { Totals } from './manifest.js';
import type { ProgressTeller } from './progress-teller.js';
import { columnsOf, tablesOf } from './schema.js';

export interface BackupPlace {
  /** Of PostgreSQL. */
  url: string;
  dataDir: string;
  file: string;
}

/**
 * Writes everything that can't be made again into one file, while the server runs: the database as it is at one moment, and
 * every file that belongs to it. The file is there only once it is whole.
 * @throws BackupError
 */
export async function backUp({ url, dataDir, file }: BackupPlace, tell: ProgressTeller): Promise<void> {
  if (await stat(file).catch(() => null)) throw new BackupError(`${file} is there already`);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true });
  client.on('error', () => undefined);
  const files = new HeldFiles(dataDir);
  const draft = `${file}.partial`;
  try {
    await client.connect();
    await files.hold();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0');
    const migrations = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    await files.hold();
    await rm(draft, { force: true });
    const archive = new ArchiveWriter(draft);
    const tables = await tablesOf(client);
    await archive.text('manifest.json', {
      format: 1,
      createdAt: new Date().toISOString(),
      migrations: migrations.rows.map(({ name }) => name),
      tables,
    });
    const totals: Totals = { rows: {}, files: 0 };
    for (const table of tables) {
      const rows = client.query(to(`COPY ${columnsOf(table)} TO STDOUT`));
      await archive.parts(`tables/${table.name}`, rows);
      totals.rows[table.name] = rows.rowCount;
      tell.table(table.name, rows.rowCount);
    }
    totals.files = await files.writeTo(archive, (done, total) => tell.files(done, total));
    await archive.text('end.json', totals);
    await archive.end();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await files.release();
    await client.end().catch(() => undefined);
  }
}
