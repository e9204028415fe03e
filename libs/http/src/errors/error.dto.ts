/** An error of the routes under `/v1`. */
export class ErrorDto {
  /**
   * What went wrong, for people.
   * @example "User 'ada' not found"
   */
  detail: string;

  /**
   * What went wrong, for programs: stable.
   * @example "user_not_found"
   */
  code: string;

  /**
   * Also in the header `x-request-id`, and in the server's log.
   * @example "0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d"
   */
  request_id: string;
}

export class ValidationDetailDto {
  /**
   * Where: `body`, `query` or `path`, then the way down.
   * @example ["body", "username"]
   */
  loc: string[];

  /** @example "username must be a name" */
  msg: string;

  /** @example "matches" */
  type: string;
}

/** The request is not valid: each problem with its place. */
export class ValidationErrorDto {
  detail: ValidationDetailDto[];

  /** @example "validation_error" */
  code: string;

  /** @example "0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d" */
  request_id: string;
}
