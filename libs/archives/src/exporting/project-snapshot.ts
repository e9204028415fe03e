import { createHash, randomUUID } from 'node:crypto';
import type { FileStore, HeldBlobsService } from '@heddle/artifacts';
import type { TarWriter } from '@heddle/files';
import type { ProjectRef } from '@heddle/projects';
import { RUNS_BY_NAME } from '@heddle/runs';
import { VERSIONS_OF_RUNS } from '@heddle/wandb';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { ChosenRunsNotFoundError, ContentMissingError, ContentsChangingError } from '../archives.errors.js';
import { type ArchiveEnd, type ArchiveManifest, FORMAT, VERSION } from '../format/archive-manifest.js';
import { END, fileOf, MANIFEST, rowsOf } from '../format/entry-name.js';
import { contentsSql, JSON_LINES, movingTables, rowsSql } from '../tables/scope-sql.js';
import { columnsOfTables } from '../tables/table-columns.js';

const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL TimeZone = 'UTC'`;
const ATTEMPTS = 5;
const CONTENTS_AT_ONCE = 1000;

/** A project, or some of its runs, as it is at one moment. Its files are held until it is closed. */
export class ProjectSnapshot {
  private readonly holder = randomUUID();
  private readonly client: pg.Client;

  private constructor(
    url: string,
    private readonly project: ProjectRef,
    private readonly runs: readonly string[] | null,
    private readonly store: FileStore,
    private readonly held: HeldBlobsService,
  ) {
    this.client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true });
    this.client.on('error', () => undefined);
  }

  /** @throws ChosenRunsNotFoundError | ContentsChangingError */
  static async open(
    url: string,
    project: ProjectRef,
    runs: readonly string[] | null,
    store: FileStore,
    held: HeldBlobsService,
  ): Promise<ProjectSnapshot> {
    const snapshot = new ProjectSnapshot(url, project, runs, store, held);
    try {
      await snapshot.client.connect();
      await snapshot.begin();
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  async writeTo(archive: TarWriter): Promise<void> {
    const columns = await columnsOfTables(this.client);
    const tables = movingTables(this.runs !== null);
    await archive.text(MANIFEST, {
      format: FORMAT,
      version: VERSION,
      created_at: new Date().toISOString(),
      project: `${this.project.entity}/${this.project.name}`,
      runs: this.runs && [...this.runs],
      tables: tables.map(({ name }) => ({ name, columns: columns.get(name)! })),
    } satisfies ArchiveManifest);
    const end: ArchiveEnd = { tables: {}, files: 0 };
    for (const table of tables) {
      const sql = rowsSql(table, columns.get(table.name)!, this.runs !== null);
      const rows = this.client.query(to(`COPY (${sql}) TO STDOUT ${JSON_LINES}`));
      const hash = createHash('sha256');
      await archive.parts(rowsOf(table.name), hashing(rows, hash));
      end.tables[table.name] = { rows: rows.rowCount, sha256: hash.digest('hex') };
    }
    for await (const sha256s of this.contents()) {
      const sizes = await this.held.sizesOf(sha256s);
      for (const sha256 of sha256s) {
        const content = await this.store.open(sha256);
        if (!content) throw new ContentMissingError(sha256);
        await archive.file(fileOf(sha256), sizes.get(sha256)!, content);
        end.files++;
      }
    }
    await archive.text(END, end);
    await archive.end();
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
    await this.held.release(this.holder);
  }

  /** A file that is gone before it is held was removed after the moment: another moment, then. What is held stays so. */
  private async begin(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.client.query(BEGIN);
      await this.choose();
      if (await this.holdAll()) return;
      await this.client.query('ROLLBACK');
    }
    throw new ContentsChangingError();
  }

  private async choose(): Promise<void> {
    const set = (name: string, value: string) =>
      this.client.query('SELECT set_config($1, $2, true)', [`heddle.${name}`, value]);
    await set('project', String(this.project.id));
    if (!this.runs) return;
    const { rows } = await this.client.query<{ id: string; name: string }>(RUNS_BY_NAME, [this.project.id, this.runs]);
    const missing = this.runs.filter((name) => !rows.some((row) => row.name === name));
    if (missing.length > 0) throw new ChosenRunsNotFoundError(missing);
    const ids = rows.map(({ id }) => id);
    const versions = await this.client.query<{ id: string; collectionId: string }>(VERSIONS_OF_RUNS, [
      ids,
      this.project.id,
    ]);
    await set('runs', arrayOf(ids));
    await set('artifact_versions', arrayOf(versions.rows.map(({ id }) => id)));
    await set('artifact_collections', arrayOf(versions.rows.map(({ collectionId }) => collectionId)));
  }

  private async holdAll(): Promise<boolean> {
    for await (const sha256s of this.contents()) {
      if (!(await this.held.hold(this.holder, sha256s))) return false;
    }
    return true;
  }

  private async *contents(): AsyncGenerator<string[]> {
    await this.client.query(`DECLARE contents NO SCROLL CURSOR FOR ${contentsSql(this.runs !== null)}`);
    for (;;) {
      const { rows } = await this.client.query<{ sha256: string }>(`FETCH ${CONTENTS_AT_ONCE} FROM contents`);
      if (rows.length === 0) break;
      yield rows.map(({ sha256 }) => sha256);
    }
    await this.client.query('CLOSE contents');
  }
}

const arrayOf = (ids: readonly string[]): string => `{${[...new Set(ids)].join(',')}}`;

async function* hashing(
  source: AsyncIterable<Buffer>,
  hash: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
