import { BACKSLASH, SLASH } from './json-bytes.js';

const W = 0x77;
const PREFIXES = ['weave:///', 'wandb-artifact:///', 'weave-trace-internal:///'].map((prefix) => Buffer.from(prefix));

/** Whether the string whose first character is at `at` starts like a reference; its slashes may be escaped. */
export function startsReference(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== W) return false;
  for (const prefix of PREFIXES) if (startsWith(bytes, at, prefix)) return true;
  return false;
}

function startsWith(bytes: Uint8Array, at: number, prefix: Uint8Array): boolean {
  for (let i = 0; i < prefix.length; i++, at++) {
    if (bytes[at] === BACKSLASH && prefix[i] === SLASH) at++;
    if (bytes[at] !== prefix[i]) return false;
  }
  return true;
}
