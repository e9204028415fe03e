export {
  ApiError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ParameterError,
  type ValidationDetail,
  ValidationError,
} from './api-error.js';
export { ApiErrors } from './api-errors.decorator.js';
export { BodyLimit, RawBody, StreamedBody } from './body.decorators.js';
export { openAiError } from './error-body.js';
export { ErrorDto, ValidationErrorDto } from './error.dto.js';
export { IsEmailAddress } from './email.decorator.js';
export { findPage, type PageKeys } from './find-page.js';
export { exactly, indexBody, MAX_BODY_DEPTH, MAX_BODY_VALUES, valuesIn } from './json-body.js';
export { HttpModule } from './http.module.js';
export { IsJsonObject, isWritableObject } from './json-object.decorator.js';
export { IsLine } from './line.decorator.js';
export { MayBeAbsent } from './may-be-absent.decorator.js';
export { createLogger, PinoLoggerService } from './logger.js';
export { toOpenApi31 } from './openapi-31.js';
export { Opaque, unhideOpaque } from './opaque-properties.js';
export { PageQuery } from './page-query.dto.js';
export { ApiPage, type Page, pageOf } from './page.js';
export { nearest, unknownField } from './unknown-fields.js';
export { requestIdOf } from './request-id.js';
export { requestLog } from './request-log.js';
export { IsSegment } from './segment.decorator.js';
export { sendJson } from './send-json.js';
