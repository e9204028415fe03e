import { Module } from '@nestjs/common';
import { KeyRing } from './key-ring.js';
import { RewrapSecretsService } from './rewrap-secrets.service.js';
import { SecretVault } from './secret-vault.service.js';

/** What other features read secrets with, in the API and in the worker: no routes. */
@Module({
  providers: [KeyRing, RewrapSecretsService, SecretVault],
  exports: [KeyRing, RewrapSecretsService, SecretVault],
})
export class SecretVaultModule {}
