import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, loadEnv } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { RewrapSecretsService, SecretVaultModule } from '@heddle/secrets';

/**
 * `npm run secrets:rewrap` encrypts every secret with SECRETS_KEY that isn't yet. To change the key: start every process
 * with the new SECRETS_KEY and the old one in SECRETS_KEY_PREVIOUS, run this, then take SECRETS_KEY_PREVIOUS away.
 */
async function main(): Promise<void> {
  const env = loadEnv();

  @Module({ imports: [ConfigModule.forRoot(env), DatabaseModule.forRoot('heddle-rewrap'), SecretVaultModule] })
  class RewrapModule {}

  const app = await NestFactory.createApplicationContext(RewrapModule, { logger: false, abortOnError: false });
  try {
    const { rewrapped, unreadable } = await app.get(RewrapSecretsService).run();
    process.stdout.write(`${rewrapped} secrets encrypted anew\n`);
    if (unreadable.length === 0) return;
    process.stderr.write(`No key opens these, so they stay as they are: ${unreadable.join(', ')}\n`);
    process.exitCode = 1;
  } finally {
    await app.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`heddle: ${(error as Error).message}\n`);
  process.exit(1);
}
