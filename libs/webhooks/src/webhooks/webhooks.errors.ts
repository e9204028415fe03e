import { ConflictError, NotFoundError } from '@heddle/http';

export class WebhookNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`The team has no webhook '${id}'`, 'webhook_not_found');
  }
}

export class WebhookExistsError extends ConflictError {
  constructor(name: string) {
    super(`There is already a webhook '${name}'`, 'webhook_exists');
  }
}

export class TooManyWebhooksError extends ConflictError {
  constructor(limit: number) {
    super(`A team has at most ${limit} webhooks: delete one that nothing uses`, 'too_many_webhooks');
  }
}
