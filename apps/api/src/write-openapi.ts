import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { Env } from '@heddle/config';
import { ApiModule } from './api.module.js';
import { describeApi } from './openapi.js';

/**
 * `node dist/apps/api/src/write-openapi.js FILE` writes the description that the API serves at `/openapi.json`. In preview
 * mode Nest looks at controllers without making them, so that no database is needed.
 */
const app = await NestFactory.create(ApiModule.forRoot(Env.from({ NODE_ENV: 'test' })), {
  preview: true,
  logger: false,
});
writeFileSync(process.argv[2] ?? 'openapi.json', `${JSON.stringify(describeApi(app), null, 2)}\n`);
process.exit(0);
