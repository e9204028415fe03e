import { Injectable } from '@nestjs/common';
import type { Webhook } from '@heddle/database';
import {
  accessTokenProblem,
  Masker,
  SecretNotFoundError,
  SecretsKeyMissingError,
  SecretUnreadableError,
  SecretVaultService,
} from '@heddle/secrets';
import { type Attempt, blockedAttempt, unanswered } from './attempt.js';
import { signatureHeaders } from './signing.js';
import { PayloadTooLargeError, TemplateError } from '../templates/template.errors.js';
import { parseTemplate } from '../templates/template-parser.js';
import { render } from '../templates/template-renderer.js';
import type { TemplateSecrets, TemplateVariables } from '../templates/template.js';
import { WebhookSender } from './webhook-sender.js';

export interface Delivery {
  /** Of the event, the same on every attempt: the `webhook-id` header. */
  id: string;
  /** The receiver passes `id.causeToken` on when it calls the API because of this: the `x-heddle-cause` header. */
  causeToken?: string;
  /** Text of the payload's template. */
  payload: string;
  variables: TemplateVariables;
  /** When the attempt is made, for the signature. */
  at?: Date;
}

/** One attempt at a delivery: reads the secrets, renders, signs and sends one buffer. It writes nothing anywhere. */
@Injectable()
export class WebhookDeliveryService {
  constructor(
    private readonly vault: SecretVaultService,
    private readonly sender: WebhookSender,
  ) {}

  /**
   * @param webhook as it is now: read it for each attempt
   * @returns what came of it, with the webhook's secrets masked; it throws for faults of ours only
   */
  async attempt(webhook: Webhook, { id, causeToken, payload, variables, at = new Date() }: Delivery): Promise<Attempt> {
    try {
      const secrets = await this.secretsOf(webhook);
      const { accessToken, secret } = secrets;
      const problem = accessToken === null ? null : accessTokenProblem(accessToken);
      if (problem)
        return blockedAttempt('invalid_access_token', `The webhook's access token can't be sent: ${problem.msg}`);
      const body = Buffer.from(render(parseTemplate(payload, webhook.secretRef), variables, secrets), 'utf8');
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Heddle-Webhooks/1.0',
        ...(accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(causeToken === undefined ? {} : { 'x-heddle-cause': `${id}.${causeToken}` }),
        ...signatureHeaders({ id, body, at }, secret),
      };
      const masker = new Masker([accessToken, secret, causeToken ?? null]);
      return await this.sender.send({ url: webhook.urlEndpoint, headers, body, masker });
    } catch (error) {
      return unsent(error);
    }
  }

  private async secretsOf({ teamId, accessTokenRef, secretRef }: Webhook): Promise<TemplateSecrets> {
    const values = await this.vault.revealAll(teamId, [accessTokenRef ?? [], secretRef ?? []].flat());
    const valueOf = (name: string | null): string | null => (name === null ? null : (values.get(name) ?? null));
    return { accessToken: valueOf(accessTokenRef), secret: valueOf(secretRef) };
  }
}

function unsent(error: unknown): Attempt {
  if (error instanceof SecretNotFoundError) return blockedAttempt('missing_secret', error.message);
  // The operator can give the key back, and the next attempt succeeds.
  if (error instanceof SecretUnreadableError || error instanceof SecretsKeyMissingError) {
    return unanswered('secret_unreadable', error.message, 0);
  }
  if (error instanceof TemplateError) return blockedAttempt('invalid_payload', error.message);
  if (error instanceof PayloadTooLargeError) return blockedAttempt('payload_too_large', error.message);
  throw error;
}
