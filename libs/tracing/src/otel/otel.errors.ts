import { ApiError } from '@heddle/http';

/** The request as a whole can't be decoded. OTLP asks for 400 here. */
export class InvalidOtlpError extends ApiError {
  constructor(message: string) {
    super(400, 'invalid_otlp', `Not an OTLP trace export request: ${message}`);
  }
}

/** One span is refused; its neighbours are not. */
export class RejectedSpanError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
