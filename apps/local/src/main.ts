import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, type Env, InvalidEnvError, loadEnv } from '@heddle/config';
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { DataFolderError, requireDataFolder } from '@heddle/process';
import { claimInstance, InstanceRunningError } from './instance.js';
import { LogFile } from './log-files.js';
import { localSecretsKey } from './secrets-key.js';
import { SupervisedProcess } from './supervised-process.js';

/** Receivers on this machine: what somebody who tries Heddle out has. */
const LOOPBACK = '127.0.0.0/8,::1';

const TOY_ONLY = 'only heddle/shuttle-1m, a toy. For a real one: BASE_MODELS=base-models.example.yaml npm start';

/** What `npm start` runs: the embedded database, then API and worker, until Ctrl-C. */
async function main(): Promise<void> {
  const env = loadEnv();
  const dataDir = resolve(env.DATA_DIR);
  const logs = join(dataDir, 'logs');
  requireDataFolder(dataDir);
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const release = await claimInstance(dataDir, `http://${env.HOST}:${env.PORT}`);
  process.once('exit', release);
  keepLogsSmall(logs, env);
  const postgres = env.DATABASE_URL ? undefined : await startDatabase(dataDir);
  const environment = childEnvironment({
    DATA_DIR: dataDir,
    SECRETS_KEY: env.SECRETS_KEY ?? localSecretsKey(dataDir),
    WEBHOOK_ALLOWED_HOSTS: env.WEBHOOK_ALLOWED_HOSTS || (env.isProduction ? '' : LOOPBACK),
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  });

  let ending: Promise<void> | undefined;
  const end = (code: number): Promise<void> => (ending ??= shutDown(code));
  const child = (name: 'api' | 'worker'): SupervisedProcess =>
    new SupervisedProcess({
      name,
      script: fileURLToPath(new URL(`../../${name}/src/main.js`, import.meta.url)),
      environment,
      // A worker on a laptop mostly waits: a small young generation saves 35 MB.
      nodeOptions: name === 'worker' ? ['--max-semi-space-size=2'] : [],
      logFile: join(logs, `${name}.log`),
      say,
      onGivenUp: () => void end(1),
    });
  const children = [child('api'), child('worker')] as const;

  async function shutDown(code: number): Promise<void> {
    say('Stopping');
    await Promise.all(children.map((each) => each.stop()));
    await postgres?.stop();
    process.exit(code);
  }
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  process.on('SIGHUP', () => void end(0));
  void postgres?.exited.then(() => {
    if (!ending) say('The embedded PostgreSQL ended by itself; see its log under DATA_DIR');
    return end(1);
  });

  say('Starting API and worker');
  try {
    const [api] = await Promise.all(children.map((each) => each.start()));
    if (!ending && api) announce(env, api.url, api.adminKey, logs);
  } catch (error) {
    if (!ending) say((error as Error).message);
    await end(1);
  }
}

/** A log grows by some megabytes a day. */
const LOOK_AT_LOGS_MS = 30_000;

function keepLogsSmall(logs: string, { LOG_FILE_MB, LOG_FILES }: Env): void {
  const limits = { bytes: LOG_FILE_MB * 1024 * 1024, files: LOG_FILES };
  const files = ['api', 'worker'].map((name) => new LogFile(join(logs, `${name}.log`), limits));
  const rotate = (): void => files.forEach((file) => file.rotate());
  rotate();
  setInterval(rotate, LOOK_AT_LOGS_MS).unref();
}

async function startDatabase(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: say });
}

function announce(env: Env, url: string, adminKey: string | undefined, logs: string): void {
  say('');
  say('Heddle is ready');
  say(`  API        ${url}`);
  say(`  Swagger    ${url}/docs`);
  say(`  Logs       ${logs}`);
  if (!env.BASE_MODELS) say(`  Models     ${TOY_ONLY}`);
  if (adminKey) say(`  Admin key  ${adminKey}   (shown this once: keep it)`);
  say('Ctrl-C stops everything; nothing is lost.');
}

// A terminal that is gone is no reason to end in disorder.
process.stdout.on('error', () => undefined);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const EXPECTED = [DataFolderError, EmbeddedPostgresError, InstanceRunningError, InvalidEnvError];

/** Misconfiguration is one clear line; anything else is a fault of ours and shows where. */
try {
  await main();
} catch (error) {
  const expected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(`heddle: ${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
