import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

export class OpenAiErrorFieldsDto {
  /** @example "Model 'weavers/loom/agent.001' not found" */
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

type DocumentedStatus = 400 | 401 | 404 | 413 | 429 | 503;

/** As `ApiErrors`, for the routes that answer in OpenAI's form. */
export const OpenAiErrors = (descriptions: Partial<Record<DocumentedStatus, string>>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(OpenAiErrorDto),
    ...Object.entries({ 401: 'The API key is missing or not valid.', ...descriptions }).map(([status, description]) => {
      const content = { 'application/json': { schema: { $ref: getSchemaPath(OpenAiErrorDto) } } };
      return ApiResponse({ status: Number(status), description, content });
    }),
  );
