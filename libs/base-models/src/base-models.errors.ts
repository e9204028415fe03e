import { ApiError } from '@heddle/http';

/** A base model that is on its way here. Clients try a 503 again. */
export class BaseModelDownloadingError extends ApiError {
  constructor(id: string, progress: number | null, reason: string | null) {
    const how = [progress === null ? [] : `${progress} %`, reason ?? []].flat().join(', ');
    const message = `The base model '${id}' is being downloaded${how === '' ? '' : ` (${how})`}: try again later`;
    super(503, 'base_model_downloading', message, { 'retry-after': '10' });
  }
}

/** A base model that nobody can use before somebody has changed something. Not a 409: clients would try it again. */
export class BaseModelFailedError extends ApiError {
  constructor(id: string, reason: string) {
    super(400, 'base_model_failed', `The base model '${id}' can't be used: ${reason}`);
  }
}
