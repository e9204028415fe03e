import { join, resolve } from 'node:path';
import { InvalidEnvError, loadEnv } from '@heddle/config';
import { copyObjects, DiskObjectStore, FilesUnavailableError, openObjectStore } from '@heddle/storage';

const USAGE = `Usage: npm run files -- to-s3     copies the files under DATA_DIR into S3_BUCKET
       npm run files -- from-s3   copies them back`;
/** Objects after which it says how far it is. */
const TELL_EVERY = 100;

class FilesCommandError extends Error {}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run files`: takes an instance from its disk to a bucket, or back. What is there already isn't copied again. */
async function main([direction, ...rest]: readonly string[]): Promise<void> {
  if (rest.length > 0 || (direction !== 'to-s3' && direction !== 'from-s3')) throw new FilesCommandError(USAGE);
  const env = loadEnv();
  if (env.S3_BUCKET === undefined) throw new FilesCommandError('S3_BUCKET must name the bucket');
  const disk = new DiskObjectStore(resolve(env.DATA_DIR));
  const bucket = await openObjectStore(env);
  await bucket.check();
  const [from, to] = direction === 'to-s3' ? [disk, bucket] : [bucket, disk];
  const { copied, there, bytes, damaged } = await copyObjects(from, to, spoolOf(env.DATA_DIR), (sofar) => {
    const done = sofar.copied + sofar.there;
    if (done > 0 && done % TELL_EVERY === 0) say(`${done.toLocaleString('en')} files`);
  });
  const megabytes = (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
  say(`${copied} files copied (${megabytes} MB), ${there} were there. Nothing was removed where they come from.`);
  for (const key of damaged) say(`damaged, and not copied: ${key}`);
  if (damaged.length > 0) throw new FilesCommandError(`${damaged.length} files are damaged`);
}

const spoolOf = (dataDir: string): string => join(resolve(dataDir), 'artifacts', 'incoming');

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const reason =
    error instanceof FilesUnavailableError ? `${message}: ${String((error.cause as Error).message)}` : message;
  const isExpected =
    [FilesCommandError, FilesUnavailableError, InvalidEnvError].some((kind) => error instanceof kind) ||
    code?.startsWith('E') === true;
  process.stderr.write(`heddle: ${isExpected ? reason : (stack ?? message)}\n`);
  process.exit(1);
}
