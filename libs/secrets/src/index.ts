export { MASK, Masker } from './masker.js';
export { ACCESS_TOKEN, ARTIFACT_METADATA, PAYLOAD_VARIABLES, type PayloadVariable } from './payload-variables.js';
export { type RewrapResult, RewrapSecretsService } from './rewrap-secrets.service.js';
export { accessTokenProblem, refuseProblem, signingSecretProblem, WHSEC } from './secret-value.js';
export { type SecretUser, type SecretUses, SecretUsesRegistry } from './secret-uses.registry.js';
export { SecretVaultService } from './secret-vault.service.js';
export { SecretVaultModule } from './secret-vault.module.js';
export { SecretNotFoundError, SecretsKeyMissingError, SecretUnreadableError } from './secrets.errors.js';
export { SecretsModule } from './secrets.module.js';
