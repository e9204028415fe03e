import { isWritableObject, ParameterError } from '@heddle/http';
import { RequestFields } from './request-fields.js';

/** A body's fields. @throws ParameterError */
export function readBody(body: Buffer): RequestFields {
  const sent = parse(body);
  const fields = RequestFields.of(sent, '');
  // What is nested deeper than any honest request would fail where it is copied to a thread.
  if (!isWritableObject(sent))
    throw new ParameterError(null, 'The body must hold finite numbers, at most 64 levels deep');
  return fields;
}

function parse(body: Buffer): unknown {
  // No body at all reads as an empty object, so that the answer names a field.
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    const message = `The body is not valid JSON: ${(error as Error).message.slice(0, 80)}`;
    throw new ParameterError(null, message, { code: 'json_invalid' });
  }
}
