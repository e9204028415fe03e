import { hash, randomBytes } from 'node:crypto';

/** Some clients refuse keys of fewer than 40 characters. These have 46, of which 43 carry 256 random bits. */
export function generateApiKey(): string {
  return `hd_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a key, and what it is found by: its SHA-256. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** What tells a user's keys apart on the screen; far too little to guess the rest from. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}
