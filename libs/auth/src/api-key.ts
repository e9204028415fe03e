import { hash, randomInt } from 'node:crypto';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** So many carry 256 random bits: 62 ** 43 > 2 ** 256. */
const LENGTH = 43;

/**
 * Some clients refuse keys of fewer than 40 characters, and wandb's counts from the first `-` on: so there is none. Keys
 * that were made before are base64url, and stay valid.
 */
export function generateApiKey(): string {
  return `hd_${Array.from({ length: LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')}`;
}

/** What is stored of a key, and what it is found by: its SHA-256. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** What tells a user's keys apart on the screen; far too little to guess the rest from. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}
