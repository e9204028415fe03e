import { NotFoundError, ParameterError } from '@heddle/http';

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

/** Only responses in the background can be cancelled, and there are none. */
export class ResponseNotCancellableError extends ParameterError {
  constructor(id: string) {
    super(null, `Response '${id}' has ended: only a response in the background can be cancelled`, {
      code: 'invalid_request',
    });
  }
}
