import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { codeOf } from './error-codes.js';
import { ErrorDto, ValidationErrorDto } from './error.dto.js';

type DocumentedStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503;

const REQUEST_ID = '0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d';

/** Describes the errors of a handler, or of every handler of a controller: `@ApiErrors({ 404: 'No such team.' })`. */
export const ApiErrors = (descriptions: Partial<Record<DocumentedStatus, string>>): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ApiExtraModels(ErrorDto, ValidationErrorDto),
    ...Object.entries(descriptions).map(([status, description]) => {
      const body =
        status === '422'
          ? { schema: { $ref: getSchemaPath(ValidationErrorDto) } }
          : { schema: { $ref: getSchemaPath(ErrorDto) }, example: exampleOf(status, description) };
      // Said outright, since a route that answers with a file still answers with JSON when it fails.
      return ApiResponse({ status: Number(status), description, content: { 'application/json': body } });
    }),
  );

function exampleOf(status: string, description: string): ErrorDto {
  // Who may use a route is a matter of roles.
  const code = status === '403' ? 'missing_role' : codeOf(Number(status));
  return { detail: description, code, request_id: REQUEST_ID };
}
