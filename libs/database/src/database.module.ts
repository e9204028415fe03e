import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '@heddle/config';
import type { DataSource } from 'typeorm';
import { dataSourceOptions, poolOf } from './data-source.js';
import { DatabaseUnusableError } from './database.errors.js';
import { DatabaseRoom } from './database-room.js';
import { survivesLostConnections } from './lost-connections.js';

const PG_POOL = Symbol('PG_POOL');

/** Injects the process's `pg.Pool`: the same connections that TypeORM uses. */
export const InjectPool = (): ReturnType<typeof Inject> => Inject(PG_POOL);

/** One data source and its pool for the whole process. The schema must be up to date: see `migrate`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(applicationName: string): DynamicModule {
    const room = new DatabaseRoom();
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [Env],
      useFactory: (env: Env) => {
        if (!env.DATABASE_URL) throw new DatabaseUnusableError('DATABASE_URL is not set');
        const settings = {
          url: env.DATABASE_URL,
          poolSize: env.DATABASE_POOL_SIZE,
          applicationName,
          statementMs: env.DATABASE_TIMEOUT_SECONDS * 1000,
          isPooled: env.isDatabasePooled,
          longestStatementMs: env.QUERY_TIMEOUT_SECONDS * 1000,
          onFailure: (error: unknown) => room.note(error),
        };
        return { ...dataSourceOptions(settings), retryAttempts: 0 };
      },
    });
    const pool = {
      provide: PG_POOL,
      inject: [getDataSourceToken()],
      useFactory: (source: DataSource) => survivesLostConnections(poolOf(source)),
    };
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers: [pool, { provide: DatabaseRoom, useValue: room }],
      exports: [PG_POOL, DatabaseRoom, typeOrm],
    };
  }
}
