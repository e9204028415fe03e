import { dataSourceOptions } from '@heddle/database';
import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

/** A connection of its own, on which a statement may take as long as it does. */
export class PatientDatabase {
  private constructor(private readonly source: DataSource) {}

  static async open(url: string): Promise<PatientDatabase> {
    const source = new DataSource(dataSourceOptions({ url, poolSize: 1, applicationName: 'heddle-archives' }));
    return new PatientDatabase(await source.initialize());
  }

  async withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      return await work((await runner.connect()) as pg.ClientBase);
    } finally {
      await runner.release();
    }
  }

  async transaction<T>(work: (db: EntityManager, client: pg.ClientBase) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client = (await runner.connect()) as pg.ClientBase;
      await runner.startTransaction();
      try {
        const result = await work(runner.manager, client);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }
}
