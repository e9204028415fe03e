import { ApiError } from '@heddle/http';

/** SDKs show the reason to their user, and don't send again. */
export class NotBuiltError extends ApiError {
  /** @param what a route, or what is asked of one */
  constructor(what: string) {
    super(501, 'not_built', `${what} is not built in Heddle`);
  }
}
