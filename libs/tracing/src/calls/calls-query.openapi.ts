import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { FIND_EXAMPLE, FindCalls } from './calls-query.schema.js';

/** The route whose answer is no JSON document but one a line. */
export const PostStreamQuery = (): MethodDecorator =>
  applyDecorators(
    Post('calls/stream_query'),
    HttpCode(200),
    ApiOperation({ summary: 'Find calls: one JSON object a line, in the order asked for' }),
    ApiBody({ schema: { ...FindCalls }, examples: { slowest: { value: FIND_EXAMPLE } } }),
    ApiOkResponse({
      description: 'Calls as `/call/read` has them; nothing at all where nothing is found.',
      content: { 'application/jsonl': { schema: { type: 'string' } } },
    }),
    ApiUnprocessableEntityResponse({ description: 'Malformed, or beyond the limits; `detail[].loc` says where.' }),
  );
