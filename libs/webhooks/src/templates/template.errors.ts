import { ApiError } from '@heddle/http';

export type TemplateProblem =
  'invalid_json' | 'too_deep' | 'too_large' | 'unclosed_placeholder' | 'unknown_variable' | 'unquoted_placeholder';

/** A payload that can't be a template, and where. */
export class TemplateError extends Error {
  /** Both from 1, in characters (UTF-16 units). */
  readonly line: number;
  readonly column: number;

  constructor(
    readonly problem: TemplateProblem,
    reason: string,
    text: string,
    /** From 0. */
    readonly offset: number,
  ) {
    const before = text.slice(0, offset).split('\n');
    super(`${reason} (line ${before.length}, column ${before.at(-1)!.length + 1})`);
    this.name = 'TemplateError';
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

/** A payload that outgrew the limit when its variables were filled in. */
export class PayloadTooLargeError extends ApiError {
  constructor(limit: number) {
    super(422, 'payload_too_large', `The rendered payload is larger than ${limit / 1024} KiB`);
  }
}
