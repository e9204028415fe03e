import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES, type Role } from './scene.js';

const FILE = join('test', 'medium', 'authorization', 'authorization.md');

export type Row = Record<Role, string>;

/** Rows of `authorization.md`, by operation. */
export function readTable(): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const [operation = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (!/^`[A-Z]+ /.test(operation)) continue;
    const name = operation.slice(1, -1);
    if (rows.has(name) || cells.length !== ROLES.length)
      throw new Error(`The row of ${name} is no row, or is there twice`);
    rows.set(name, Object.fromEntries(ROLES.map((role, i) => [role, cells[i]])) as Row);
  }
  return rows;
}

/** As it would stand in the file, to be judged and put there. */
export const rowText = (name: string, row: Row): string =>
  `| \`${name}\` | ${ROLES.map((role) => row[role]).join(' | ')} |`;
