import { Injectable } from '@nestjs/common';
import { EntityNotFoundError, type Principal } from '@heddle/auth';
import type { Webhook } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { WebhooksRepository } from '@heddle/webhooks';
import type { EntityManager } from 'typeorm';

/**
 * Finds the webhook of an action. A team's administrators make its webhooks, and decide so where its secrets are sent;
 * any member of the team may have an automation use one, and so may the administrators of its projects and registries.
 */
@Injectable()
export class ActionWebhookService {
  constructor(private readonly webhooks: WebhooksRepository) {}

  /** @throws EntityNotFoundError for who may use none of the team's, ValidationError where it has no such webhook */
  async require(caller: Principal, team: string, id: string, db?: EntityManager): Promise<Webhook> {
    const webhook = await this.webhooks.findUsable(caller, team, id, db);
    if (webhook) return webhook;
    if (!(await this.webhooks.mayUseAnyOf(caller, team))) throw new EntityNotFoundError(team);
    throw ValidationError.at(
      ['body', 'action', 'webhook_id'],
      `Team '${team}' has no such webhook`,
      'webhook_not_found',
      id,
    );
  }
}
