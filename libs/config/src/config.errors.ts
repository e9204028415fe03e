/** The environment holds settings that Heddle can't run with. */
export class InvalidEnvError extends Error {
  readonly code = 'invalid_environment';

  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings: ${problems.join('; ')}`);
    this.name = 'InvalidEnvError';
  }
}
