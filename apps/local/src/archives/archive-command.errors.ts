/** The message is one line for who typed the command. */
export class ArchiveCommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArchiveCommandError';
  }
}
