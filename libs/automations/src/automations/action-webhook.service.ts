import { Injectable } from '@nestjs/common';
import { type Principal, requireMembership } from '@heddle/auth';
import type { Webhook } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { WebhooksRepository } from '@heddle/webhooks';
import type { EntityManager } from 'typeorm';

/**
 * Finds the webhook of an action. A team's administrators make its webhooks, and decide so where its secrets are sent;
 * any member of the team may have an automation use one.
 */
@Injectable()
export class ActionWebhookService {
  constructor(private readonly webhooks: WebhooksRepository) {}

  /** @throws EntityNotFoundError for who is not a member of the team, ValidationError where it has no such webhook */
  async require(caller: Principal, team: string, id: string, db?: EntityManager): Promise<Webhook> {
    const { teamId } = requireMembership(caller, team);
    const webhook = await this.webhooks.find(teamId, id, db);
    if (webhook) return webhook;
    throw ValidationError.at(
      ['body', 'action', 'webhook_id'],
      `Team '${team}' has no such webhook`,
      'webhook_not_found',
      id,
    );
  }
}
