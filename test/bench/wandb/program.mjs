import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a program beside this file as a client of the server, in a folder of its own. @returns what it printed last, which is JSON */
export async function runProgram(server, python, folder, name, ...args) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    WANDB_BASE_URL: server.url,
    WANDB_API_KEY: server.key,
    WANDB_DIR: folder,
    WANDB_CACHE_DIR: folder,
    WANDB_DATA_DIR: folder,
    WANDB_ERROR_REPORTING: 'false',
  };
  const { stdout } = await promisify(execFile)(python, [program, ...args.map(String)], { cwd: folder, env });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}
