import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

const problem = (member: 'reason' | 'detail', schema: object): object => ({
  type: 'object',
  required: [member, 'code', 'request_id'],
  properties: { [member]: schema, code: { type: 'string' }, request_id: { type: 'string' } },
});

/** Describes the errors that every route of the SDK may answer. */
export const SdkErrors = (): MethodDecorator & ClassDecorator => {
  const reason = problem('reason', { type: 'string' });
  return applyDecorators(
    ApiResponse({ status: 413, description: 'The body is too large.', schema: reason }),
    ApiResponse({ status: 415, description: 'The content encoding is none of gzip, deflate, br.', schema: reason }),
    ApiResponse({
      status: 422,
      description: 'The request is not valid: each problem with its place.',
      schema: problem('detail', { type: 'array', items: { type: 'object' } }),
    }),
  );
};
