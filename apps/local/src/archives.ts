import { resolve } from 'node:path';
import { environmentVariable } from '@heddle/config';
import { ArchiveCommandError, ArchivesCommand } from './archives/archives-command.js';
import { serverFrom } from './archives/heddle-server.js';
import { WandbProjects } from './archives/wandb-projects.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run export` and `npm run import`: of a server that runs, here or elsewhere, by its URL and a key. */
try {
  const wandb = new WandbProjects(
    resolve(environmentVariable('DATA_DIR') ?? '.data', 'wandb-import'),
    environmentVariable,
  );
  await new ArchivesCommand(() => serverFrom(environmentVariable), say, wandb).run(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isExpected = error instanceof ArchiveCommandError || code !== undefined;
  process.stderr.write(`heddle: ${isExpected ? message || String(code) : (stack ?? message)}\n`);
  process.exit(1);
}
