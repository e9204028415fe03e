import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AccountsModule, FirstAdminService } from '@heddle/accounts';
import { Authenticated, AuthModule, Caller, type Principal, Public } from '@heddle/auth';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { HttpModule } from '@heddle/http';
import { ProjectsModule } from '@heddle/projects';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { Given } from '../../support/given.js';

/** One route of each kind. */
@Controller('probe')
class ProbeController {
  @Get('basic')
  @Authenticated('basic')
  basic(@Caller() caller: Principal): { username: string } {
    return { username: caller.username };
  }

  @Get('bearer')
  @Authenticated('bearer')
  bearer(@Caller() caller: Principal): { username: string } {
    return { username: caller.username };
  }

  @Get('public')
  @Public()
  open(): { open: boolean } {
    return { open: true };
  }

  @Get('undeclared')
  undeclared(): { open: boolean } {
    return { open: true };
  }
}

/** The accounts, the projects and nothing else over HTTP. */
export interface AccountsApi {
  url: string;
  given: Given;
  database: TestDatabase;
  ensureFirstAdmin(): Promise<{ createdKey: string | null }>;
  close(): Promise<void>;
}

/** @param database to be shared with another process of the same instance; else one of its own, dropped at the end */
export async function startAccounts(
  settings: Record<string, string> = {},
  database?: TestDatabase,
): Promise<AccountsApi> {
  const ownDatabase = database ?? (await createDatabase());
  const env = Env.from({ NODE_ENV: 'test', DATABASE_URL: ownDatabase.url, DATABASE_POOL_SIZE: '4', ...settings });

  @Module({
    imports: [
      ConfigModule.forRoot(env),
      DatabaseModule.forRoot('heddle-test'),
      AuthModule,
      HttpModule,
      AccountsModule,
      ProjectsModule,
    ],
    controllers: [ProbeController],
  })
  class AccountsApp {}

  const app = await NestFactory.create<NestExpressApplication>(AccountsApp, { bodyParser: false, logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    given: new Given(ownDatabase.pool),
    database: ownDatabase,
    ensureFirstAdmin: () => app.get(FirstAdminService).ensure(),
    close: async () => {
      await app.close();
      if (!database) await ownDatabase.drop();
    },
  };
}
