import { isUtf8 } from 'node:buffer';
import { isWritableObject, ParameterError } from '@heddle/http';
import { indexJsonSync, JsonLimitError } from '@heddle/json';
import { RequestFields } from './request-fields.js';

const MAX_DEPTH = 64;
/** Fields and elements: what is made of them takes some 10 ms. The longest context has fewer tokens. */
const MAX_VALUES = 200_000;
/** What is shorter can't hold enough to take long, and is most bodies. */
const UNCOUNTED_BYTES = 128 * 1024;

/** A body's fields. @throws ParameterError */
export function readBody(body: Buffer): RequestFields {
  const sent = parse(body);
  const fields = RequestFields.of(sent, '');
  // What is nested deeper than any honest request would fail where it is copied to a thread.
  if (!isWritableObject(sent))
    throw new ParameterError(null, `The body must hold finite numbers, at most ${MAX_DEPTH} levels deep`);
  return fields;
}

function parse(body: Buffer): unknown {
  // No body at all reads as an empty object, so that the answer names a field.
  if (body.length === 0) return {};
  if (!isUtf8(body)) throw new ParameterError(null, 'The body is not UTF-8', { code: 'json_invalid' });
  try {
    // Before it becomes objects: 4 MiB of `{}` would take a second.
    if (body.length > UNCOUNTED_BYTES) indexJsonSync(body, { depth: MAX_DEPTH, maxDepth: 100, maxNodes: MAX_VALUES });
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new ParameterError(null, `The body is too large: ${error.message}`, { code: 'json_too_large' });
    const message = `The body is not valid JSON: ${(error as Error).message.slice(0, 80)}`;
    throw new ParameterError(null, message, { code: 'json_invalid' });
  }
}
