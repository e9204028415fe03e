import { existsSync } from 'node:fs';
import { compiled, entryOf, isSource } from './compiled-sources.mjs';

/** Finds the sources of the product's own modules. */
export function resolve(specifier, context, next) {
  const lib = /^@heddle\/([a-z-]+)$/.exec(specifier);
  if (lib) return { url: entryOf(lib[1]), shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
}

/** Compiles them. */
export function load(url, context, next) {
  if (!isSource(url)) return next(url, context);
  return { format: 'module', source: compiled(url), shortCircuit: true };
}
