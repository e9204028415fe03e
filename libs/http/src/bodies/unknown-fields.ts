import type { ValidationDetail } from '../errors/api-error.js';

/**
 * Routes that official SDKs call. A newer SDK sends fields that this server doesn't know yet; to refuse them would break it, so
 * they are ignored. These are the training API (`/v1/preview`), OpenAI's routes, and all of the tracing API, which lies
 * outside `/v1`. On every other route, where people write bodies, an unknown field is a mistake and is refused.
 */
const SDK_ROUTES = /^\/v1\/(preview|chat|completions|embeddings|models|responses)(\/|$)|^\/(?!v1\/)/;

export const ignoresUnknownFields = (path: string): boolean => SDK_ROUTES.test(path);

/** @param known what may stand there */
export function unknownField(loc: string[], name: string, known: readonly string[], what = 'field'): ValidationDetail {
  const near = nearest(name, known);
  const hint =
    near !== undefined ? `: did you mean ${near}?` : known.length > 0 ? `; there are ${known.join(', ')}` : '';
  const ctx = near === undefined ? {} : { ctx: { did_you_mean: near } };
  return {
    loc: [...loc, name],
    msg: `There is no ${what} ${name.slice(0, 100)}${hint}`,
    type: 'unknown_field',
    ...ctx,
  };
}

/** The known name that was probably meant: a slip or two away, or one that is a part of the other (`secret`, `secret_ref`). */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[_\s-]/g, '');
  const given = plain(name);
  // Long names are nobody's slip, and comparing them takes time.
  if (given.length < 2 || given.length > 64) return undefined;
  const found = known
    .map((candidate) => ({ candidate, distance: distanceOf(given, plain(candidate)) }))
    .filter(({ distance, candidate }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)[0];
  if (found) return found.candidate;
  return given.length < 3 ? undefined : known.find((candidate) => isPart(given, plain(candidate)));
}

const isPart = (a: string, b: string): boolean => a.includes(b) || b.includes(a);

/** Levenshtein: how many letters to add, leave out or exchange. Two neighbours that changed places are one. */
function distanceOf(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, change, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
