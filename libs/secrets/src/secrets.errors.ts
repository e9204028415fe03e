import { ApiError, ConflictError, NotFoundError } from '@heddle/http';

export class SecretNotFoundError extends NotFoundError {
  constructor(name: string) {
    super(`The team has no secret '${name}'`, 'secret_not_found');
  }
}

export class SecretExistsError extends ConflictError {
  constructor(name: string) {
    super(`There is already a secret '${name}': PUT sets a new value`, 'secret_exists');
  }
}

export class SecretInUseError extends ConflictError {
  constructor(name: string, webhooks: readonly string[]) {
    const named = webhooks.map((webhook) => `'${webhook}'`).join(', ');
    super(`The secret '${name}' is used by the team's webhooks ${named}: take it out of them first`, 'secret_in_use');
  }
}

export class TooManySecretsError extends ConflictError {
  constructor(limit: number) {
    super(`A team has at most ${limit} secrets: delete one that nothing uses`, 'too_many_secrets');
  }
}

/** The operator set no SECRETS_KEY, so that nothing can be encrypted. There is no default one. */
export class SecretsKeyMissingError extends ApiError {
  constructor() {
    super(503, 'secrets_key_missing', 'This server has no SECRETS_KEY: secrets work once its operator sets one');
  }
}

/** The key that encrypted the value is neither SECRETS_KEY nor one of SECRETS_KEY_PREVIOUS, or the row was tampered with. */
export class SecretUnreadableError extends ApiError {
  constructor(name: string) {
    super(503, 'secret_unreadable', `The secret '${name}' can't be decrypted with this server's keys`);
  }
}
