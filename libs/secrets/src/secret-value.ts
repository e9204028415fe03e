import { ValidationError } from '@heddle/http';

/** Longest value, in characters: room for a PEM key. */
export const MAX_SECRET_LENGTH = 8192;

type ValueProblem = { type: string; msg: string };

/** A signing secret with this prefix carries its key in base64 (Standard Webhooks). */
export const WHSEC = 'whsec_';

/** What a secret's value must be, whatever it is for. Problems never repeat the value. */
export function secretValueProblem(value: unknown): ValueProblem | null {
  if (value === undefined) return { type: 'missing', msg: 'value is required' };
  if (typeof value !== 'string') return { type: 'is_string', msg: 'value must be a string' };
  if (value.length === 0 || value.length > MAX_SECRET_LENGTH) {
    return { type: 'length', msg: `value must have 1 to ${MAX_SECRET_LENGTH} characters` };
  }
  if (/\p{Cs}/u.test(value)) return { type: 'is_text', msg: 'value must be text: it holds half a surrogate pair' };
  return null;
}

/** What a value must also be to travel in a header. A newline there would be a header of the sender's making. */
export function accessTokenProblem(value: string): ValueProblem | null {
  return /^[\x21-\x7e]+$/.test(value)
    ? null
    : { type: 'is_visible_ascii', msg: 'an access token must be visible ASCII, without spaces or line breaks' };
}

/** What a value must also be to sign. */
export function signingSecretProblem(value: string): ValueProblem | null {
  if (!value.startsWith(WHSEC)) return null;
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(
    value.slice(WHSEC.length),
  )
    ? null
    : { type: 'is_base64', msg: `a signing secret that begins with ${WHSEC} must go on in base64` };
}

/** @throws ValidationError at `loc`, which never repeats the value */
export function refuseProblem(loc: string[], problem: ValueProblem | null): void {
  if (problem) throw ValidationError.at(loc, problem.msg, problem.type);
}
