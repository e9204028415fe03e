/** The server that holds the queues can't be used; the message is one line for the operator and holds no password. */
export class QueuesUnusableError extends Error {
  readonly code = 'queues_unusable';

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options);
    this.name = 'QueuesUnusableError';
  }
}
