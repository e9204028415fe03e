import { Module } from '@nestjs/common';
import { KeyRingService } from './key-ring.service.js';
import { RewrapSecretsService } from './rewrap-secrets.service.js';
import { SecretUsesRegistry } from './secret-uses.registry.js';
import { SecretVaultService } from './secret-vault.service.js';

/** What other features read secrets with, in the API and in the worker: no routes. */
@Module({
  providers: [KeyRingService, RewrapSecretsService, SecretUsesRegistry, SecretVaultService],
  exports: [KeyRingService, RewrapSecretsService, SecretUsesRegistry, SecretVaultService],
})
export class SecretVaultModule {}
