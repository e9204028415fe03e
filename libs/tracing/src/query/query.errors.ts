import { ApiError } from '@heddle/http';

/** Not a 5xx, which clients send again at once. */
export class QueryTooSlowError extends ApiError {
  constructor(seconds: number) {
    super(400, 'query_too_slow', `The query took longer than ${seconds} s: narrow it down, by time or by op name`);
  }
}

export class TooManyQueriesError extends ApiError {
  constructor() {
    super(429, 'too_many_queries', 'Too many queries are running: try again', { 'Retry-After': '2' });
  }
}
