import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { MissingRoleError } from '@heddle/auth';
import { ApiError, openAiError, ParameterError } from '@heddle/http';
import { TooManyRequestsError, UnknownModelError } from '../inference.errors.js';

export class OpenAiErrorFieldsDto {
  /** @example "Model 'weavers/loom/agent-001' not found" */
  message: string;

  /** @example "invalid_request_error" */
  type: string;

  /**
   * The field at fault.
   * @example "model"
   */
  param: string | null;

  /** @example "model_not_found" */
  code: string;
}

/** An error of the routes that OpenAI's clients use. */
export class OpenAiErrorDto {
  error: OpenAiErrorFieldsDto;
}

/** What is answered, by status. */
const EXAMPLES = {
  400: new ParameterError('messages', 'messages is required', { code: 'missing_required_parameter' }),
  401: new ApiError(401, 'unauthorized', 'The API key is missing or not valid'),
  403: new MissingRoleError('member', 'the team of this response'),
  404: new UnknownModelError("Model 'weavers/loom/agent-001' not found"),
  413: new ApiError(413, 'payload_too_large', 'request entity too large'),
  429: new TooManyRequestsError(),
  503: new ApiError(503, 'thread_died', 'a sampling thread ended'),
};

/** What any request for tokens may meet with. */
export const GENERATION_ERRORS = {
  400: 'A field is not valid, or prompt and answer exceed the context.',
  404: 'There is no such model or step, or you have no role in its project.',
  429: 'Too many of your requests, or of those to models of the project, are in flight.',
  503: 'The engine can not answer now: try again.',
};

export const TOKENIZATION_ERRORS = {
  400: 'A field is not valid.',
  404: GENERATION_ERRORS[404],
  413: 'The body has more than 2 MiB.',
};

type DocumentedStatus = keyof typeof EXAMPLES;

/** As `ApiErrors`, for the routes that answer in OpenAI's form. */
export const OpenAiErrors = (descriptions: Partial<Record<DocumentedStatus, string>>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(OpenAiErrorDto),
    ...Object.entries({ 401: 'The API key is missing or not valid.', ...descriptions }).map(([name, description]) => {
      const status = Number(name) as DocumentedStatus;
      const example = openAiError(EXAMPLES[status]);
      const content = { 'application/json': { schema: { $ref: getSchemaPath(OpenAiErrorDto) }, example } };
      return ApiResponse({ status, description, content });
    }),
  );
