/** The database can't be used; the message is one line for the operator and holds no password. */
export class DatabaseUnusableError extends Error {
  readonly code = 'database_unusable';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnusableError';
  }
}
