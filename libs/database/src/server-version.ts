import { DatabaseUnusableError } from './database.errors.js';

/** Oldest PostgreSQL that Heddle runs on, as `server_version_num`. */
const MINIMUM = 150_000;

export interface ServerVersion {
  /** For instance 150020. */
  number: number;
  /** For instance `15.20`. */
  version: string;
}

/** @throws DatabaseUnusableError naming both versions */
export function requireSupportedVersion({ number, version }: ServerVersion, url: string): void {
  if (number >= MINIMUM) return;
  throw new DatabaseUnusableError(`PostgreSQL 15 or newer is required; ${placeOf(url)} runs ${version}`);
}

/** Host, port and database of a connection URL, without its password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}
