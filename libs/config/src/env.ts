import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, IsString, IsUrl, Matches, MinLength, validateSync } from 'class-validator';
import { InvalidEnvError } from './config.errors.js';
import { entriesOf, IsHostList } from './host-list.js';
import { isReadableUrl, unreadableUrl } from './database-url.js';
import { IsIntegerSetting } from './integer-setting.decorator.js';
import { StorageSettings } from './storage-settings.js';

/**
 * Every setting of Heddle, read once from the environment and validated before anything starts.
 * `.env.example` lists the same names with the same defaults; a test holds the two equal.
 */
export class Env extends StorageSettings {
  /** `production` turns off everything embedded and every default secret. */
  @IsIn(['development', 'production', 'test'])
  NODE_ENV: 'development' | 'production' | 'test' = 'development';

  /** Address the API listens on. */
  @IsString()
  HOST = '127.0.0.1';

  /** Port of the API; 0 takes a free one. */
  @IsIntegerSetting(0, 65_535)
  PORT = 3000;

  /** Port of the worker's health routes; 0 takes a free one. */
  @IsIntegerSetting(0, 65_535)
  WORKER_PORT = 3001;

  /** Where users reach the API, for links in answers. Default: http://HOST:PORT. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  PUBLIC_URL?: string;

  /** Key of the first administrator (user `admin`, team `admin`). Unset: generated and printed once. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'ADMIN_API_KEY must be printable ASCII without spaces' })
  @MinLength(40)
  ADMIN_API_KEY?: string;

  /**
   * PostgreSQL 15 or newer, or a pooler in transaction mode before it (see DATABASE_DIRECT_URL). Unset: the embedded server
   * under DATA_DIR (not in production).
   */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres:// or postgresql://' })
  DATABASE_URL?: string;

  /**
   * PostgreSQL itself, where DATABASE_URL leads to a pooler: for whatever needs a session (migrations, the queues without Redis,
   * backups) or a connection for minutes (archives).
   */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_DIRECT_URL must start with postgres:// or postgresql://' })
  DATABASE_DIRECT_URL?: string;

  /** Connections of each process to PostgreSQL. */
  @IsIntegerSetting(4, 200)
  DATABASE_POOL_SIZE = 12;

  /** Seconds that one statement may run; then it ends, and its request with 503. Queries over calls have a limit of their own. */
  @IsIntegerSetting(1, 3600)
  DATABASE_TIMEOUT_SECONDS = 60;

  /** Redis 7 or newer for the queues. Unset: the queues live in PostgreSQL. */
  @IsOptional()
  @Matches(/^rediss?:\/\//, { message: 'REDIS_URL must start with redis:// or rediss://' })
  REDIS_URL?: string;

  /** Names the queues' keys in Redis and their schema in PostgreSQL. */
  @Matches(/^[a-z][a-z0-9_]{0,30}$/, { message: 'QUEUE_PREFIX must be lower-case letters, digits and underscores' })
  QUEUE_PREFIX = 'heddle_queues';

  /** Key-encryption key of the secrets: 32 bytes in base64. Required in production. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: 'SECRETS_KEY must be 32 bytes in base64' })
  SECRETS_KEY?: string;

  /** Keys that were SECRETS_KEY before, separated by commas: they decrypt what is not re-wrapped yet. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/, {
    message: 'SECRETS_KEY_PREVIOUS must be keys of 32 bytes in base64, separated by commas',
  })
  SECRETS_KEY_PREVIOUS?: string;

  /**
   * Receivers that webhooks may reach although they are not public, over plain http too, separated by commas: host names
   * (`*.` and a domain for all below it), IP addresses, CIDRs. `npm start` adds loopback where nothing is set.
   */
  @IsHostList()
  WEBHOOK_ALLOWED_HOSTS = '';

  /** Seconds before each attempt at a delivery, the first one too: as many attempts as there are numbers. */
  @Matches(/^\d{1,7}(,\d{1,7}){0,49}$/, { message: 'WEBHOOK_RETRY_DELAYS must be seconds, separated by commas' })
  WEBHOOK_RETRY_DELAYS = '0,5,300,1800,7200,18000,36000,36000';

  /** By so much of itself, in percent, a delay is longer or shorter. */
  @IsIntegerSetting(0, 100)
  WEBHOOK_RETRY_JITTER = 20;

  /** Requests in flight to one webhook. */
  @IsIntegerSetting(1, 1000)
  WEBHOOK_IN_FLIGHT = 10;

  /** Requests in flight from one worker. */
  @IsIntegerSetting(4, 10_000)
  WEBHOOK_SLOTS = 500;

  /** Seconds after which a worker looks for deliveries that the queue lost. */
  @IsIntegerSetting(1, 3600)
  WEBHOOK_SWEEP_SECONDS = 5;

  /** Automations in one project, in one registry and, beside those, in one team. */
  @IsIntegerSetting(1, 100_000)
  AUTOMATIONS_PER_SCOPE = 10_000;

  /** Firings of one automation in a minute; those beyond are skipped. */
  @IsIntegerSetting(1, 1_000_000)
  AUTOMATION_FIRINGS_PER_MINUTE = 10_000;

  /** Firings of all automations that use one team's webhooks in a minute. */
  @IsIntegerSetting(1, 1_000_000)
  TEAM_FIRINGS_PER_MINUTE = 20_000;

  /** How often an automation may lead to itself, where receivers pass on what caused their requests. */
  @IsIntegerSetting(0, 100)
  AUTOMATION_MAX_DEPTH = 5;

  /** Days for which automations' events, executions and attempts are kept; 0 keeps them for ever. */
  @IsIntegerSetting(0, 36_500)
  AUTOMATION_RETENTION_DAYS = 30;

  /** Days for which it is kept who changed what; 0 keeps it for ever. */
  @IsIntegerSetting(0, 36_500)
  AUDIT_RETENTION_DAYS = 365;

  /** Chat completions in flight for one user; one more is a 429. Each API process counts its own. */
  @IsIntegerSetting(1, 1_000_000)
  CHAT_REQUESTS_PER_USER = 2000;

  /** Chat completions in flight with the models of one project, likewise. */
  @IsIntegerSetting(1, 1_000_000)
  CHAT_REQUESTS_PER_PROJECT = 6000;

  /** Responses that one user may have in the background, those that wait too; each API process counts its own. */
  @IsIntegerSetting(1, 1_000_000)
  BACKGROUND_RESPONSES_PER_USER = 200;

  /** Those of all users together. */
  @IsIntegerSetting(1, 1_000_000)
  BACKGROUND_RESPONSES = 1000;

  /** Days for which stored responses are kept after they were last used; 0 keeps them for ever. */
  @IsIntegerSetting(0, 36_500)
  RESPONSES_RETENTION_DAYS = 30;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Seconds for which an API key's look-up is remembered; a revoked key stops within them. */
  @IsIntegerSetting(0, 60)
  AUTH_CACHE_SECONDS = 5;

  /** Milliseconds that `/v1/system-check` waits for each component. */
  @IsIntegerSetting(100, 60_000)
  SYSTEM_CHECK_TIMEOUT_MS = 5000;

  /** Days for which calls are kept where a project does not say; 0 keeps them for ever. */
  @IsIntegerSetting(0, 36_500)
  RETENTION_DAYS = 0;

  /** Seconds that one statement of a query over calls may run. */
  @IsIntegerSetting(1, 3600)
  QUERY_TIMEOUT_SECONDS = 30;

  /** Seconds after SIGTERM for which the API still serves and its readiness is 503, so that a load balancer notices. */
  @IsIntegerSetting(0, 600)
  DRAIN_SECONDS = 0;

  /** MiB of each log file under DATA_DIR that `npm start` writes, and how many older ones are kept. */
  @IsIntegerSetting(1, 10_000)
  LOG_FILE_MB = 20;

  @IsIntegerSetting(1, 100)
  LOG_FILES = 5;

  /** Seconds that running requests and jobs get to end at shutdown. */
  @IsIntegerSetting(1, 600)
  SHUTDOWN_TIMEOUT_SECONDS = 10;

  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }

  /** PostgreSQL itself, whatever is before it. */
  get directDatabaseUrl(): string | undefined {
    return this.DATABASE_DIRECT_URL ?? this.DATABASE_URL;
  }

  /** Whether each transaction may be in another session of the database. */
  get isDatabasePooled(): boolean {
    return this.DATABASE_DIRECT_URL !== undefined;
  }

  /** The entries of WEBHOOK_ALLOWED_HOSTS. */
  get webhookAllowedHosts(): string[] {
    return entriesOf(this.WEBHOOK_ALLOWED_HOSTS);
  }

  get webhookRetrySchedule(): { delays: readonly number[]; jitter: number } {
    return { delays: this.WEBHOOK_RETRY_DELAYS.split(',').map(Number), jitter: this.WEBHOOK_RETRY_JITTER / 100 };
  }

  get publicUrl(): string {
    return this.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${this.HOST}:${this.PORT}`;
  }

  /** Reads and checks the settings; throws an {@link InvalidEnvError} that names each bad one. */
  static from(source: NodeJS.ProcessEnv): Env {
    // Class fields are own properties, also those without a default.
    const known = Object.keys(new Env());
    // An empty value counts as unset, so that `FOO=` in a compose file means the default.
    const given = Object.fromEntries(known.filter((name) => source[name]).map((name) => [name, source[name]]));
    const env = plainToInstance(Env, given, { exposeDefaultValues: true });
    const problems = validateSync(env).map((problem) => Object.values(problem.constraints ?? {}).join(', '));
    if (env.ENGINE_CACHE_MB > env.ENGINE_MEMORY_MB / 2) {
      problems.push('ENGINE_CACHE_MB must be at most half of ENGINE_MEMORY_MB');
    }
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
      if (!isReadableUrl(env[name] ?? '')) problems.push(unreadableUrl(name));
    }
    if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) problems.push('DATABASE_DIRECT_URL needs DATABASE_URL');
    if (!env.S3_ACCESS_KEY_ID !== !env.S3_SECRET_ACCESS_KEY) {
      problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together');
    }
    if (env.isProduction && !env.DATABASE_URL) problems.push('DATABASE_URL is required in production');
    if (env.isProduction && !env.SECRETS_KEY) problems.push('SECRETS_KEY is required in production');
    if (problems.length > 0) throw new InvalidEnvError(problems);
    return env;
  }
}
