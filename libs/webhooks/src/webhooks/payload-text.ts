import { ValidationError } from '@heddle/http';
import { writeExact } from '@heddle/json';
import { TemplateError } from '../templates/template.errors.js';
import { parseTemplate } from '../templates/template-parser.js';

/** What is sent where no payload is given. */
const NO_PAYLOAD = '{}';

/** A payload's text, given as JSON text with placeholders or as JSON. */
export function payloadText(payload: unknown): string {
  if (payload === undefined || payload === null) return NO_PAYLOAD;
  if (typeof payload !== 'string') return writeExact(payload);
  return payload.trim() === '' ? NO_PAYLOAD : payload;
}

/**
 * The text of a payload from a request, once it is known to be a template.
 * @param loc where it stands in the request
 * @param secretName name of the secret of the webhook that it is for
 * @throws ValidationError with line and column of the problem
 */
export function readPayload(payload: unknown, loc: string[], secretName: string | null): string {
  const text = payloadText(payload);
  try {
    parseTemplate(text, secretName);
    return text;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { message, problem, line, column, offset } = error;
    throw new ValidationError([{ loc, msg: message, type: problem, ctx: { line, column, offset } }]);
  }
}
