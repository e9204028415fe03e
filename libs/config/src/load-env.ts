import { existsSync } from 'node:fs';
import { Env } from './env.js';

/** The settings of this process: `.env` in the working directory first, the environment over it. */
export function loadEnv(): Env {
  // loadEnvFile never overrides what the environment already holds.
  if (existsSync('.env')) process.loadEnvFile('.env');
  return Env.from(process.env);
}
