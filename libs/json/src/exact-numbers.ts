import { randomUUID } from 'node:crypto';

/** Stands before the digits while JSON.parse and JSON.stringify work on them; nobody outside this process can write it. */
const MARK = `exact ${randomUUID()} `;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
const LONG = /\d{16}/;

let isWriting = false;
let hasWritten = false;

/** An integer that a double doesn't hold to the last digit. Written by {@link writeExact} as the number that it was. */
export class ExactNumber {
  constructor(readonly digits: string) {}

  toString(): string {
    return this.digits;
  }

  /** For JSON.stringify, which knows no such number: its digits as text. */
  toJSON(): string {
    if (!isWriting) return this.digits;
    hasWritten = true;
    return MARK + this.digits;
  }
}

/** As JSON.parse, for texts that are known to be JSON; integers beyond 2^53 become an {@link ExactNumber}. */
export function parseExact(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text);
  let isExact = false;
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || !/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token))) return token;
    isExact = true;
    return `"${MARK}${token}"`;
  });
  return isExact ? JSON.parse(marked, revive) : JSON.parse(text);
}

const revive = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value;

/** As JSON.stringify, with each {@link ExactNumber} digit for digit. */
export function writeExact(value: unknown): string {
  hasWritten = false;
  isWriting = true;
  try {
    const text = JSON.stringify(value);
    return hasWritten ? text.replace(MARKED, '$1') : text;
  } finally {
    isWriting = false;
  }
}
