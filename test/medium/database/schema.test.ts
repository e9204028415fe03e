import { dataSourceOptions, migrate } from '@heddle/database';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '../../support/database.js';

describe('the schema', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    source = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 2, applicationName: 'test' }),
    ).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('is what the entities say, once all migrations ran', async () => {
    const drift = await source.driver.createSchemaBuilder().log();
    // Indexes that an entity can't describe (partial, expression, GIN) live in migrations only.
    expect(drift.upQueries.map(({ query }) => query).filter((query) => !/^DROP INDEX/.test(query))).toEqual([]);
  });

  it('migrates again without a change, also by several processes at once', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(await source.showMigrations()).toBe(false);
  });

  it('goes back to nothing: every migration can be undone', async () => {
    for (const _ of source.migrations) await source.undoLastMigration();
    const { rows } = await database.pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    expect(rows).toEqual([{ tablename: 'migrations' }]);
  });
});
