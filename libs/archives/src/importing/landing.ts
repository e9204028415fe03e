import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type ArchivedTable, Project } from '@heddle/database';
import { isMissing } from '@heddle/files';
import { type ProjectRef, ProjectNotFoundError } from '@heddle/projects';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';
import { ArchiveInvalidError, NameTakenError } from '../archives.errors.js';
import {
  conflicts,
  growThose,
  insertLanded,
  LANDING,
  missingContents,
  noteIds,
  readLines,
  violations,
} from '../tables/landing-sql.js';
import { tableOf } from '../tables/moving-tables.js';
import { JSON_LINES } from '../tables/scope-sql.js';
import { contentsPath, linesPath, type ReceivedArchive } from './archive-receiver.js';
import { refRewriter } from './ref-rewriter.js';
import { rewrittenLines } from './rewritten-lines.js';

/** Rows by table. */
export interface Landed {
  imported: Record<string, number>;
  alreadyThere: Record<string, number>;
}

/** Rewriting needs to know what their ids become. */
const FIRST = ['artifact_collections', 'artifact_versions'];

/** Brings the rows of an archive into a project, inside one transaction. */
export class Landing {
  private readonly tables: { table: ArchivedTable; columns: string[] }[];
  private rewrite: (bytes: string) => string;

  constructor(
    private readonly db: EntityManager,
    private readonly client: pg.ClientBase,
    private readonly project: ProjectRef,
    private readonly archive: ReceivedArchive,
    private readonly folder: string,
  ) {
    this.tables = archive.manifest.tables.map(({ name, columns }) => ({ table: tableOf(name), columns }));
    this.rewrite = refRewriter({ ...this.places, versions: new Map() });
  }

  /** @throws ArchiveInvalidError | NameTakenError | ProjectNotFoundError */
  async land(): Promise<Landed> {
    await this.prepare();
    const first = this.tables.filter(({ table }) => FIRST.includes(table.name));
    const others = this.tables.filter(({ table }) => !FIRST.includes(table.name));
    for (const { table } of first) await this.read(table);
    this.rewrite = refRewriter({ ...this.places, versions: await this.versions() });
    for (const { table } of others) await this.read(table);
    await this.readContents();
    for (const { table } of this.tables) await this.check(table);
    await this.requireFreeNames();
    const landed: Landed = { imported: {}, alreadyThere: {} };
    for (const { table, columns } of this.tables) {
      const grow = growThose(table);
      if (grow) await this.client.query(grow);
      const { rowCount } = await this.client.query(insertLanded(table, columns));
      const [written, came] = [rowCount ?? 0, this.archive.rows.get(table.name)!];
      if (written > 0) landed.imported[table.name] = written;
      if (came > written) landed.alreadyThere[table.name] = came - written;
    }
    return landed;
  }

  private get places(): { from: string; to: string } {
    return { from: this.archive.manifest.project, to: `${this.project.entity}/${this.project.name}` };
  }

  private async prepare(): Promise<void> {
    await this.client.query("SET LOCAL statement_timeout = 0; SET LOCAL TimeZone = 'UTC'");
    const { id, entity, name } = this.project;
    const found = await this.db.findOne(Project, { where: { id }, lock: { mode: 'pessimistic_read' } });
    if (!found) throw new ProjectNotFoundError(`${entity}/${name}`);
    // Of two archives that come to a project at once the second sees what the first brought.
    await this.client.query("SELECT pg_advisory_xact_lock(hashtextextended('archives of ' || $1, 0))", [String(id)]);
    const settings = { project: String(id), source: this.places.from, target: this.places.to };
    for (const [key, value] of Object.entries(settings))
      await this.client.query('SELECT set_config($1, $2, true)', [`heddle.${key}`, value]);
    await this.client.query(LANDING);
  }

  private async read(table: ArchivedTable): Promise<void> {
    const lines = createReadStream(linesPath(this.folder, table.name));
    const copy = this.client.query(from(`COPY lines FROM STDIN ${JSON_LINES}`));
    await pipeline(rewrittenLines(lines, this.rewrite), copy);
    await this.client.query(readLines(table));
    if (table.hasId) await this.client.query(noteIds(table));
  }

  private async readContents(): Promise<void> {
    const copy = this.client.query(from('COPY lines FROM STDIN'));
    await pipeline(linesOf(contentsPath(this.folder)), copy);
    await this.client.query('INSERT INTO came SELECT DISTINCT line FROM lines; ANALYZE came; ANALYZE moved');
  }

  private async versions(): Promise<Map<string, string>> {
    const sql = "SELECT old, new FROM moved WHERE kind = 'artifact_versions'";
    const { rows } = await this.client.query<{ old: string; new: string }>(sql);
    return new Map(rows.map((row) => [row.old, row.new]));
  }

  private async check(table: ArchivedTable): Promise<void> {
    for (const [what, check] of Object.entries(table.checks ?? {})) {
      const { rowCount } = await this.client.query(violations(table, check));
      if (rowCount) throw new ArchiveInvalidError(`A row of ${table.name} in the archive is wrong in ${what}`);
    }
    if (!table.content) return;
    const { rows } = await this.client.query<{ sha256: string }>(missingContents(table));
    if (rows[0]) throw new ArchiveInvalidError(`The archive lacks the content ${rows[0].sha256} of a file`);
  }

  private async requireFreeNames(): Promise<void> {
    const taken: string[] = [];
    for (const { table, columns } of this.tables) {
      const sql = conflicts(table, columns);
      if (!sql) continue;
      const { rows } = await this.client.query<{ label: string }>(sql);
      taken.push(...rows.map(({ label }) => `${table.unique!.noun} '${label}'`));
    }
    if (taken.length > 0) throw new NameTakenError(taken);
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    // No file came.
    if (!isMissing(error)) throw error;
  }
}
