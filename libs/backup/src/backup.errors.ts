/** A backup can't be made or taken back; the message is one line for the operator. */
export class BackupError extends Error {
  readonly code = 'backup_failed';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}
