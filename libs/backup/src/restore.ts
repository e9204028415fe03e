import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { migrationNames, migrate } from '@heddle/database';
import { type TarEntry, textOf } from '@heddle/files';
import pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { readArchive, readingFailure } from './archive.js';
import type { BackupPlace } from './backup.js';
import { BackupError } from './backup.errors.js';
import { restoreFile } from './data-files.js';
import { type Manifest, readManifest, type Totals } from './manifest.js';
import type { ProgressTeller } from './progress-teller.js';
import { columnsOf, openForRows } from './schema.js';
import { replaceBy } from './swap-schema.js';

/** Everything is made here first, beside what serves, which stays as it is until all is there. */
const SCHEMA = 'heddle_restoring';

/**
 * Takes a backup back, while the server runs or not: what is there is replaced in one moment, or not at all.
 * @param place.replaces whether a database that holds something may be replaced
 * @throws BackupError
 */
export async function restore(place: BackupPlace & { replaces: boolean }, tell: ProgressTeller): Promise<void> {
  const { url, dataDir, file, replaces } = place;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SET statement_timeout = 0');
    if (!replaces && (await holdsUsers(client)))
      throw new BackupError('The database holds something already: add --replace to lose that');
    const { rows } = await client.query<{ name: string }>('SELECT current_schema() AS name');
    const home = rows[0]!.name;
    await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}`);
    await client.query(`SET search_path = ${SCHEMA}`);
    const reader = new Reader(client, url, dataDir, tell);
    for await (const entry of readArchive(file)) await reader.read(entry);
    await reader.finish();
    await migrate(url, { schema: SCHEMA });
    await replaceBy(client, SCHEMA, home);
  } catch (error) {
    throw readingFailure(file, error);
  } finally {
    await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`).catch(() => undefined);
    await client.end().catch(() => undefined);
  }
}

/** An administrator and nothing else is what a first start makes; that too is somebody's key. */
async function holdsUsers(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('users') IS NOT NULL AS there");
  if (!rows[0]!.there) return false;
  return (await client.query('SELECT FROM users LIMIT 1')).rowCount === 1;
}

/** Takes the entries of an archive in their order: manifest, tables, files, totals. */
class Reader {
  private manifest: Manifest | undefined;
  private close: (() => Promise<void>) | undefined;
  private table: { name: string; stream: Writable & CopyStreamQuery } | undefined;
  private totals: Totals | undefined;
  private readonly found: Totals = { rows: {}, files: 0 };
  private bytes = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly url: string,
    private readonly dataDir: string,
    private readonly tell: ProgressTeller,
  ) {}

  async read(entry: TarEntry): Promise<void> {
    if (!this.manifest) return this.begin(entry);
    if (entry.name.startsWith('tables/')) return this.rows(entry, this.manifest);
    await this.endTable();
    if (entry.name.startsWith('files/')) {
      await restoreFile(this.dataDir, entry);
      this.found.files++;
      this.bytes += entry.size;
    } else if (entry.name === 'end.json') this.totals = JSON.parse(await textOf(entry)) as Totals;
  }

  /** @throws BackupError where something is missing */
  async finish(): Promise<void> {
    if (!this.totals || !this.close) throw new BackupError('The backup was cut off: nothing was changed');
    const { rows, files } = this.totals;
    const wrong = Object.keys(rows).filter((name) => rows[name] !== this.found.rows[name]);
    if (wrong.length > 0 || files !== this.found.files)
      throw new BackupError(`The backup lacks a part (${[...wrong, 'files'].join(', ')}): nothing was changed`);
    await this.close();
    this.tell.files(this.bytes, this.bytes);
  }

  private async begin(entry: TarEntry): Promise<void> {
    if (entry.name !== 'manifest.json') throw new BackupError('This is no backup of Heddle');
    this.manifest = readManifest(await textOf(entry), migrationNames());
    await migrate(this.url, { schema: SCHEMA, only: this.manifest.migrations });
    this.close = await openForRows(this.client);
  }

  private async rows({ name: path, content }: TarEntry, { tables }: Manifest): Promise<void> {
    const name = path.split('/')[1]!;
    if (this.table?.name !== name) {
      await this.endTable();
      const table = tables.find((each) => each.name === name);
      if (!table) throw new BackupError(`The archive holds rows of ${name}, which its list lacks`);
      this.table = { name, stream: this.client.query(from(`COPY ${columnsOf(table)} FROM STDIN`)) };
    }
    const { stream } = this.table;
    for await (const chunk of content) if (!stream.write(chunk)) await once(stream, 'drain');
  }

  private async endTable(): Promise<void> {
    if (!this.table) return;
    const { name, stream } = this.table;
    this.table = undefined;
    const done = once(stream, 'finish');
    stream.end();
    await done;
    const { rowCount } = stream as unknown as { rowCount: number };
    this.found.rows[name] = rowCount;
    this.tell.table(name, rowCount);
  }
}
