import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BackupError, backUp, ProgressTeller, restore } from '@heddle/backup';
import { InvalidEnvError, loadEnv } from '@heddle/config';
import { DatabaseUnusableError } from '@heddle/database';
import { EmbeddedPostgresError } from '@heddle/embedded-postgres';
import { withDatabase } from './with-database.js';

const USAGE = `Usage: npm run backup -- FILE
       npm run restore -- FILE [--replace]`;
const EXPECTED = [BackupError, DatabaseUnusableError, EmbeddedPostgresError, InvalidEnvError];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run backup` and `npm run restore`: of the server of the same settings, whether it runs or not. */
async function main([command, ...given]: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0 || (command === 'backup' && values.replace)) throw new BackupError(USAGE);
  const env = loadEnv();
  const dataDir = resolve(env.DATA_DIR);
  await withDatabase(env, dataDir, say, async (url) => {
    const place = { url, dataDir, file: resolve(file) };
    const tell = new ProgressTeller(say);
    if (command === 'backup') {
      await backUp(place, tell);
      if (env.S3_BUCKET) say(`The files are in the bucket ${env.S3_BUCKET}, which this backup doesn't hold.`);
      say(`${file} is written. Keep the key of the secrets elsewhere: SECRETS_KEY, or secrets.key in DATA_DIR.`);
    } else {
      await restore({ ...place, replaces: values.replace }, tell);
      if (env.S3_BUCKET) say('Its files, if it holds any, are under DATA_DIR: npm run files -- to-s3');
      say(`${file} is restored. Secrets are readable with the key that they were encrypted with.`);
    }
  });
}

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isExpected = EXPECTED.some((kind) => error instanceof kind) || code !== undefined;
  process.stderr.write(`heddle: ${isExpected ? message : (stack ?? message)}\n`);
  process.exit(1);
}
