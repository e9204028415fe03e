/** Pieces of a pattern: a repetition, a class, an escape, or one character. */
const PIECE = /[*+?]\??|\{\d+(?:,\d*)?\}\??|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\\.|[^]/gu;
const OPTIONAL = /^(?:[*?]|\{0)/;
const REPETITION = /^(?:[*+?]|\{\d)/;
const ESCAPED_SIGN = /^\\[^\w\s]$/u;

/**
 * A text that stands in everything that a pattern matches. Most texts lack it, and looking for it is far cheaper than the
 * pattern. It errs towards none.
 * @param pattern of RE2, known to be valid
 * @returns '' where there is none to be sure of
 */
export function requiredLiteral(pattern: string): string {
  // Flags change what letters mean, and \Q, \p{..} and \x{..} are more than one piece.
  if (/\(\?[^:P<]|\\[QEpPx]/.test(pattern)) return '';
  const runs = [''];
  let depth = 0;
  for (const [piece] of pattern.matchAll(PIECE)) {
    if (piece === '(') depth++;
    else if (piece === ')') depth--;
    else if (piece === '|' && depth === 0) return '';
    const last = runs.length - 1;
    if (depth === 0 && OPTIONAL.test(piece)) runs[last] = [...runs[last]!].slice(0, -1).join('');
    const literal = depth > 0 ? undefined : literalOf(piece);
    if (literal === undefined) runs.push('');
    else runs[last] += literal;
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

/** What one piece says literally; undefined where it is a class, an anchor, a group or a repetition. */
function literalOf(piece: string): string | undefined {
  if (ESCAPED_SIGN.test(piece)) return piece.slice(1);
  if (REPETITION.test(piece) || piece.length > 2 || '()[]^$.|\\'.includes(piece) || piece.startsWith('\\'))
    return undefined;
  return piece;
}
