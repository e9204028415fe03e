export { EmbeddedPostgresError } from './embedded-postgres.errors.js';
export type { EmbeddedPostgresErrorCode } from './embedded-postgres.errors.js';
export { startEmbeddedPostgres } from './start-embedded-postgres.js';
export type { StartOptions } from './start-embedded-postgres.js';
export type { EmbeddedPostgres, PostgresExit } from './running-server.js';
export { DEFAULT_SETTINGS, DISPOSABLE_SETTINGS } from './server-settings.js';
