/** The file of BASE_MODELS can't be used. Nothing starts with half of it. */
export class InvalidBaseModelsFileError extends Error {
  readonly code = 'invalid_base_models';

  constructor(
    /** One line for each fault: file, entry, field, what is wrong. */
    readonly lines: readonly string[],
  ) {
    super(lines.join('\n'));
    this.name = 'InvalidBaseModelsFileError';
  }
}
