/**
 * PostgreSQL's text can't hold U+0000 or half a surrogate pair. Each is stored as the noncharacter U+FDD0 and its four hex
 * digits, and so is U+FDD0 itself. No code is the beginning of another: different strings stay different, and a prefix
 * (of whole characters) stays a prefix. All other strings are stored as they are.
 */
const UNSTORABLE = /[\0\ufdd0\p{Surrogate}]/gu;
const ESCAPE = /\ufdd0([0-9a-f]{4})/g;

/** The form in which a string goes into a text column, and in which one is looked up there. */
export function encodeText(text: string): string {
  return text.replace(UNSTORABLE, (unit) => `\ufdd0${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function decodeText(stored: string): string {
  return stored.replace(ESCAPE, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
