import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProgramRun<Result> {
  /** What the program sent with `process.send`. */
  result: Result;
  exitCode: number | null;
  /** Standard output and standard error, as they came. */
  output: string;
  /** What the client left in its home and working directory: credentials, logs of lost calls. */
  filesLeft: string[];
}

/**
 * Runs test/compat/programs/NAME.mjs as a user would run theirs: a process of its own, pointed here by the three
 * environment variables and nothing else. The client keeps global state and ends the process when it gives up.
 */
export async function runProgram<Result>(
  name: string,
  { url, key, project }: { url: string; key: string; project: string },
): Promise<ProgramRun<Result>> {
  const home = await mkdtemp(join(tmpdir(), 'heddle-compat-'));
  try {
    const program = fork(join(import.meta.dirname, 'programs', `${name}.mjs`), [project], {
      cwd: home,
      env: { HOME: home, PATH: process.env['PATH'], WF_TRACE_SERVER_URL: url, WANDB_BASE_URL: url, WANDB_API_KEY: key },
      execArgv: [],
      silent: true,
      timeout: 25_000,
    });
    let output = '';
    let result: unknown;
    program.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    program.stderr?.on('data', (text: Buffer) => (output += text.toString()));
    program.on('message', (message) => (result = message));
    const [exitCode] = (await once(program, 'close')) as [number | null];
    return { result: result as Result, exitCode, output, filesLeft: await readdir(home) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
