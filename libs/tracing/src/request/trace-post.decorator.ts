import { applyDecorators, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { TSchema } from 'typebox';

export interface TraceRoute {
  summary: string;
  /** Schema of the whole body; payloads in it as unknown. */
  body: TSchema;
  example: object;
  answer: TSchema;
  /** Whether the answer is any number of those, one a line. */
  lines?: boolean;
}

/** A route of the tracing API: POST, 200, and its schemas in the API document, which are the ones it is checked by. */
export const TracePost = (path: string | string[], route: TraceRoute): MethodDecorator =>
  applyDecorators(Post(path), HttpCode(200), described(route));

export const TracePut = (path: string, route: TraceRoute): MethodDecorator =>
  applyDecorators(Put(path), described(route));

const described = (route: TraceRoute): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary: route.summary }),
    ApiBody({ schema: { ...route.body }, examples: { example: { value: route.example } } }),
    ApiOkResponse(
      route.lines
        ? { content: { 'application/jsonl': { schema: { ...route.answer } } } }
        : { schema: { ...route.answer } },
    ),
  );
