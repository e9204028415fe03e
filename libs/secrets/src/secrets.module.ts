import { Module } from '@nestjs/common';
import { SecretVaultModule } from './secret-vault.module.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsService } from './secrets.service.js';

/** The secrets of teams, over HTTP. */
@Module({ imports: [SecretVaultModule], controllers: [SecretsController], providers: [SecretsService] })
export class SecretsModule {}
