import { EngineError } from '../protocol/engine.errors.js';
import { literal } from './coded-text.js';

const MAX_LENGTH = 200_000;
/** What stands in quotes, in a class, in a comment, or else one character. */
const PIECES = /"(?:[^"\\\n]|\\.)*"|\[(?:[^\]\\\n]|\\.)*\]|#[^\n]*|[^]/gu;

/**
 * A grammar that a request brings, in the notation of GBNF. Beyond ASCII there are texts in quotes only: the library takes
 * classes for something else.
 * @throws EngineError
 */
export function userGrammar(grammar: string): string {
  if (grammar.length > MAX_LENGTH) throw refusal(`is longer than ${MAX_LENGTH} characters`);
  const rules = grammar.replace(PIECES, (piece) => {
    if (piece.startsWith('#')) return '';
    if (piece.startsWith('"')) return isAscii(piece) ? piece : quoted(piece);
    if (isAscii(piece)) return piece;
    throw refusal(`has ${JSON.stringify(piece.slice(0, 20))} outside of quotes, where only ASCII is supported`);
  });
  if (!/^\s*root\s*::=/m.test(rules)) throw refusal('has no rule named root');
  return rules;
}

/** Escapes of ASCII are kept as they are. */
function quoted(piece: string): string {
  return piece
    .slice(1, -1)
    .split(/([^\x00-\x7f]+)/u)
    .filter((part) => part !== '')
    .map((part) => (isAscii(part) ? `"${part}"` : literal(part)))
    .join(' ');
}

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text) && !/\\[xuU]/.test(text);

const refusal = (what: string): EngineError =>
  new EngineError('invalid_request', `The grammar ${what}.`, 'response_format');
