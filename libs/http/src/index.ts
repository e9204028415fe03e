export {
  ApiError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  type ValidationDetail,
  ValidationError,
} from './api-error.js';
export { BodyLimit, RawBody, StreamedBody } from './body.decorators.js';
export { HttpModule } from './http.module.js';
export { createLogger, PinoLoggerService } from './logger.js';
export { toOpenApi31 } from './openapi-31.js';
export { requestIdOf } from './request-id.js';
export { requestLog } from './request-log.js';
