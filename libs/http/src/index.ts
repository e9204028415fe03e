export {
  ApiError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ParameterError,
  type ValidationDetail,
  ValidationError,
} from './errors/api-error.js';
export { ApiErrors } from './errors/api-errors.decorator.js';
export { ClientLeftError, clientLeft } from './answers/client-left.js';
export { BodyLimit, RawBody, StreamedBody } from './bodies/body.decorators.js';
export { openAiError } from './errors/error-body.js';
export { ErrorDto, ValidationErrorDto } from './errors/error.dto.js';
export { IsEmailAddress } from './fields/email.decorator.js';
export { findPage, type PageKeys } from './pages/find-page.js';
export { exactly, indexBody, MAX_BODY_DEPTH, MAX_BODY_VALUES, valuesIn } from './bodies/json-body.js';
export { HttpModule } from './http.module.js';
export { IsJsonObject, isWritableObject } from './fields/json-object.decorator.js';
export { IsJsonDouble, JSON_DOUBLE } from './fields/json-double.decorator.js';
export { IsLine } from './fields/line.decorator.js';
export { MayBeAbsent } from './fields/may-be-absent.decorator.js';
export { createLogger, PinoLoggerService } from './logging/logger.js';
export { toOpenApi31 } from './openapi-31.js';
export { Opaque, unhideOpaque } from './fields/opaque-properties.js';
export { PageQuery } from './pages/page-query.dto.js';
export { ApiPage, type Page, pageOf } from './pages/page.js';
export { nearest, unknownField } from './bodies/unknown-fields.js';
export { requestIdOf } from './logging/request-id.js';
export { requestLog } from './logging/request-log.js';
export { IsSegment } from './fields/segment.decorator.js';
export { IsTime } from './fields/time.decorator.js';
export { ErrorFilter } from './errors/error.filter.js';
export { unavailableFor } from './errors/unavailable.errors.js';
export { sendJson } from './send-json.js';
