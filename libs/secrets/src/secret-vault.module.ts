import { Module } from '@nestjs/common';
import { KeyRingService } from './key-ring.service.js';
import { RewrapSecretsService } from './rewrap-secrets.service.js';
import { SecretVaultService } from './secret-vault.service.js';

/** What other features read secrets with, in the API and in the worker: no routes. */
@Module({
  providers: [KeyRingService, RewrapSecretsService, SecretVaultService],
  exports: [KeyRingService, RewrapSecretsService, SecretVaultService],
})
export class SecretVaultModule {}
