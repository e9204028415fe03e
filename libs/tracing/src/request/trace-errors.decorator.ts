import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

/** SDKs show `reason` to their user. */
const ERROR = {
  type: 'object',
  required: ['reason', 'code', 'request_id'],
  properties: { reason: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' } },
};

const DESCRIPTIONS = {
  400: 'The body cannot be read.',
  403: 'You may not do this there.',
  404: 'There is no such thing, or it belongs to a team that you are not a member of.',
  413: 'The body is too large.',
  415: 'The content encoding is none of gzip, deflate, br and identity.',
};

/** Describes the errors that every route of the tracing API may answer. */
export const TraceErrors = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ...Object.entries(DESCRIPTIONS).map(([status, description]) =>
      ApiResponse({ status: Number(status), description, schema: ERROR }),
    ),
    ApiResponse({
      status: 422,
      description: 'The request is not valid: each problem with its place.',
      schema: {
        type: 'object',
        required: ['detail', 'code', 'request_id'],
        properties: {
          detail: { type: 'array', items: { type: 'object' } },
          code: { type: 'string' },
          request_id: { type: 'string' },
        },
      },
    }),
  );
