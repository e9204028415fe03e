const BARE = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs;

/**
 * Reads JSON as Python writes it: NaN, Infinity and -Infinity may stand bare, and are read as strings of these words, since
 * JSON has no such numbers to answer with. @param parse reads the JSON that this leaves. @throws SyntaxError
 */
export function readLenient(text: string, parse: (json: string) => unknown = JSON.parse): unknown {
  if (!/NaN|Infinity/.test(text)) return parse(text);
  return parse(text.replace(BARE, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
