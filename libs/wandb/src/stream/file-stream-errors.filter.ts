import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ApiError, ErrorFilter } from '@heddle/http';

/** What is wrong with a body, and what became of it on its way. Who may not write here, or where nothing is, stays refused. */
const OF_BODIES: readonly number[] = [400, 408, 409, 411, 413, 415, 422];

/**
 * A client whose stream is answered with a 4xx never sends of its run again, and tells nobody: what is wrong with a body is
 * a 503, after which it is sent once more.
 */
@Catch(ApiError)
export class FileStreamErrorsFilter implements ExceptionFilter<ApiError> {
  private readonly errors = new ErrorFilter();

  catch(error: ApiError, host: ArgumentsHost): void {
    const isOfBody = OF_BODIES.includes(error.status);
    this.errors.catch(isOfBody ? new ApiError(503, error.code, error.message, error.headers) : error, host);
  }
}
