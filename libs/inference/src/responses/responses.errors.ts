import { ApiError, NotFoundError, ParameterError } from '@heddle/http';

/** No such response, or another's: nobody learns which. */
export class ResponseNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Response with id '${id}' not found.`, 'response_not_found');
  }
}

/** What a request goes on from was never stored, or is gone. */
export class PreviousResponseNotFoundError extends ParameterError {
  constructor(id: string) {
    super('previous_response_id', `Previous response with id '${id}' not found.`, {
      code: 'previous_response_not_found',
    });
  }
}

/** There is nothing to go on from. */
export class PreviousResponseUnansweredError extends ParameterError {
  constructor(id: string) {
    super(
      'previous_response_id',
      `Previous response with id '${id}' has no answer to continue from: it is still being made, was cancelled or failed.`,
      { code: 'previous_response_not_answered' },
    );
  }
}

/** Responses in the background of one user, or of all, are too many. */
export class TooManyBackgroundResponsesError extends ApiError {
  constructor(limit: number, whose: string) {
    const message = `${limit} responses ${whose} are in progress in the background: wait until one has ended`;
    super(429, 'rate_limit_exceeded', message, { 'retry-after': '1' });
  }
}

/** Its events were never kept. */
export class ResponseNotStreamedError extends ParameterError {
  constructor(id: string) {
    const message = `Response '${id}' has no events to stream: it was not created with background and stream`;
    super('stream', message, { code: 'invalid_request' });
  }
}

/** Only responses in the background can be cancelled. */
export class ResponseNotCancellableError extends ParameterError {
  constructor(id: string) {
    super(null, `Response '${id}' can't be cancelled: it was not created with background`, {
      code: 'invalid_request',
    });
  }
}
