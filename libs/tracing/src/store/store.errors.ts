import { ApiError } from '@heddle/http';

/**
 * PostgreSQL refused some rows for what they hold. Each reason that is known is repaired before (see `addStart`), so this
 * is a defect of ours, and all other rows of the request are stored. The answer must be a 5xx: 200 would promise what was
 * not stored, and 4xx would end the client's process. Clients send the batch again, which changes nothing for what is
 * stored, and succeeds once the defect is repaired.
 */
export class CallsRefusedError extends ApiError {
  constructor(count: number, options: ErrorOptions) {
    super(500, 'calls_refused', `${count} of the calls could not be stored; all others are`);
    this.cause = options.cause;
  }
}
