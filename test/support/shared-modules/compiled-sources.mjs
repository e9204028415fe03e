import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

const root = new URL('../../../', import.meta.url);
const folder = fileURLToPath(new URL('node_modules/.cache/heddle-tests/', root));
mkdirSync(folder, { recursive: true });
const options = JSON.stringify([version, swcOptions]);

/** Whether a module is of the product's own sources. @param {string} url */
export const isSource = (url) => url.startsWith(root.href) && url.endsWith('.ts');

/** The source of a lib that others import by its name. @param {string} lib */
export const entryOf = (lib) => new URL(`libs/${lib}/src/index.ts`, root).href;

/** A source as Jest compiles it, kept for the next time. @param {string} url @returns {string} */
export function compiled(url) {
  const { filename, text, kept } = describe(url);
  try {
    return readFileSync(`${kept}.js`, 'utf8');
  } catch {
    const { code, map } = transformSync(text, { ...swcOptions, filename, sourceMaps: true });
    write(`${kept}.map`, map);
    write(`${kept}.js`, code);
    return code;
  }
}

/** Where the source map of a compiled source lies. @param {string} url */
export const sourceMapOf = (url) => `${describe(url).kept}.map`;

function describe(url) {
  const filename = fileURLToPath(url);
  const text = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(options).update(filename).update(text).digest('hex');
  return { filename, text, kept: folder + key };
}

/** Several processes may write it at once. */
function write(file, text) {
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}
