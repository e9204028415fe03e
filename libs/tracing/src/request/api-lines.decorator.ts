import { ApiOkResponse } from '@nestjs/swagger';

/**
 * An answer of JSON objects, one a line: to a program that reads the description it is text, since no JSON parser takes it
 * whole. JSON Schema's `contentSchema` says what a line holds.
 */
export function ApiLines(line: object, description = ''): MethodDecorator {
  const schema = { type: 'string', contentMediaType: 'application/jsonl', contentSchema: line };
  return ApiOkResponse({ description, content: { 'application/jsonl': { schema } } });
}
