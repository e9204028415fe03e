/** One entry of a 422 body. `loc` is an array of strings, indices too. */
export interface ValidationDetail {
  loc: string[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/**
 * An error that a client may see. Features subclass it in their `<feature>.errors.ts` with a stable code; the one filter
 * renders it in the form that the route's clients read.
 */
export class ApiError extends Error {
  /** What clients read beside the message and the code, in every dialect but OpenAI's. */
  readonly members: Readonly<Record<string, unknown>> = {};

  constructor(
    readonly status: number,
    /** Stable, snake_case; clients may switch on it. */
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Of one answer: who sends more mistakes than these can't read about all of them. */
const MAX_DETAILS = 100;

export class ValidationError extends ApiError {
  readonly detail: ValidationDetail[];

  constructor(detail: ValidationDetail[]) {
    super(422, 'validation_error', detail[0]?.msg ?? 'The request is not valid');
    // Only a small input goes back: one that nests too deeply can't even be written into the answer.
    this.detail = detail
      .slice(0, MAX_DETAILS)
      .map((each) => (isSmall(each.input) ? each : { ...each, input: undefined }));
  }

  /** A single problem at one place, e.g. `ValidationError.at(['body', 'reward'], 'must be finite', 'finite_number')`. */
  static at(loc: (string | number)[], msg: string, type: string, input?: unknown): ValidationError {
    return new ValidationError([{ loc: loc.map(String), msg, type, input }]);
  }
}

const isSmall = (input: unknown): boolean =>
  typeof input === 'string' ? input.length <= 10_000 : typeof input !== 'object' || input === null;

/** A value that can't be, with the name of its parameter: for the routes that speak OpenAI's dialect, which know no 422. */
export class ParameterError extends ApiError {
  constructor(
    /** As on the wire, e.g. `messages[0].role`; null where the body as a whole is at fault. */
    readonly param: string | null,
    message: string,
    { code = 'invalid_value', status = 400 }: { code?: string; status?: number } = {},
  ) {
    super(status, code, message);
  }
}

export class NotFoundError extends ApiError {
  constructor(message: string, code = 'not_found') {
    super(404, code, message);
  }
}

export class ForbiddenError extends ApiError {
  constructor(message: string, code = 'forbidden') {
    super(403, code, message);
  }
}

export class ConflictError extends ApiError {
  constructor(message: string, code = 'conflict') {
    super(409, code, message);
  }
}
