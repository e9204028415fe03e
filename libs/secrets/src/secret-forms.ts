import { WHSEC } from './secret-value.js';

/** Shorter pieces of base64 stand everywhere. */
const MIN_BASE64_LENGTH = 4;

/**
 * The ways in which a value may stand in somebody else's text: as it is, escaped in JSON (of different writers), in
 * base64 (also as a part of something longer), and in URLs; and the same of the value as a payload holds it, which
 * receivers send back as a string of theirs. The longest first.
 */
export function formsOf(value: string): string[] {
  // A receiver may know the key without the prefix that tells how to read it.
  const values = value.startsWith(WHSEC) ? [value, value.slice(WHSEC.length)] : [value];
  const written = values.flatMap((each) => [each, inJson(each)]);
  const forms = written.flatMap((each) => [each, ...jsonForms(each), ...urlForms(each), ...base64Forms(each)]);
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

function jsonForms(value: string): string[] {
  const plain = inJson(value);
  const ascii = (digits: (hex: string) => string): string =>
    plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const lower = ascii((hex) => hex);
  const writers = [plain, lower, ascii((hex) => hex.toUpperCase()), htmlSafe(plain), htmlSafe(lower)];
  return writers.flatMap((text) => [text, text.replaceAll('/', '\\/')]);
}

/** As writers do whose JSON may stand in a page. */
const htmlSafe = (json: string): string =>
  json.replace(/[<>&'+]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function urlForms(value: string): string[] {
  const component = encodeURIComponent(value);
  const strict = component.replace(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  return [component, strict, form, encodeURI(value)].flatMap((text) => [
    text,
    text.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
  ]);
}

/** Base64 depends on where in a group of three bytes the value begins; its first and last letters on its neighbours. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2]
    .map((before) => {
      const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
      return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    })
    .filter((stable) => stable.length >= MIN_BASE64_LENGTH)
    .flatMap((stable) => [stable, stable.replaceAll('+', '-').replaceAll('/', '_'), stable.replaceAll('/', '\\/')]);
}
