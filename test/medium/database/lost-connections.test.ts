import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule, InjectPool } from '@heddle/database';
import type pg from 'pg';
import { createDatabase, type TestDatabase } from '../../support/database.js';

@Injectable()
class Borrower {
  constructor(@InjectPool() readonly pool: pg.Pool) {}
}

@Module({})
class BorrowerModule {
  static forRoot(env: Env) {
    const imports = [ConfigModule.forRoot(env), DatabaseModule.forRoot('test')];
    return { module: BorrowerModule, imports, providers: [Borrower] };
  }
}

describe('a connection that is lost while it is lent out', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  beforeAll(async () => {
    database = await createDatabase();
    const env = Env.from({ NODE_ENV: 'test', DATABASE_URL: database.url });
    app = await NestFactory.createApplicationContext(BorrowerModule.forRoot(env), { logger: false });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('fails its borrower and nobody else', async () => {
    const { pool } = app.get(Borrower);
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow(/connection/);
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});
