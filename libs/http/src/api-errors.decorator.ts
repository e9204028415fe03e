import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorDto, ValidationErrorDto } from './error.dto.js';

type DocumentedStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503;

/** Describes the errors of a handler, or of every handler of a controller: `@ApiErrors({ 404: 'No such team.' })`. */
export const ApiErrors = (descriptions: Partial<Record<DocumentedStatus, string>>): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({ status: Number(status), description, type: status === '422' ? ValidationErrorDto : ErrorDto }),
    ),
  );
