import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Principal, requireTeamAdmin } from '@heddle/auth';
import { Team, Webhook } from '@heddle/database';
import { type PageQuery, ValidationError } from '@heddle/http';
import { type DataSource, type EntityManager, Not } from 'typeorm';
import type { Attempt } from '../sending/attempt.js';
import { EndpointGuard } from '../endpoints/endpoint-guard.js';
import { readPayload } from './payload-text.js';
import { EndpointRefusedError } from '../sending/send.errors.js';
import { WebhookCredentialsService } from './webhook-credentials.service.js';
import { WebhookDeliveryService } from '../sending/webhook-delivery.service.js';
import { TooManyWebhooksError, WebhookExistsError, WebhookNotFoundError } from './webhooks.errors.js';
import { WebhooksRepository, WELL } from './webhooks.repository.js';

/** Of a team. */
export const MAX_WEBHOOKS = 100;

export interface WebhookSettings {
  name: string;
  urlEndpoint: string;
  accessTokenRef: string | null;
  secretRef: string | null;
  enabled: boolean;
}

/** A team's webhooks, for its administrators. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly credentials: WebhookCredentialsService,
    private readonly guard: EndpointGuard,
    private readonly delivery: WebhookDeliveryService,
  ) {}

  async create(caller: Principal, team: string, settings: WebhookSettings): Promise<Webhook> {
    const { teamId } = requireTeamAdmin(caller, team);
    await this.checkEndpoint(settings.urlEndpoint);
    return this.dataSource.transaction(async (db) => {
      await lockTeam(db, teamId);
      await requireFreeName(db, teamId, settings.name);
      if ((await db.countBy(Webhook, { teamId })) >= MAX_WEBHOOKS) throw new TooManyWebhooksError(MAX_WEBHOOKS);
      await this.credentials.check(db, teamId, settings);
      const disabledReason = settings.enabled ? null : ('admin' as const);
      const who = { createdBy: caller.username, updatedBy: caller.username };
      const { identifiers } = await db.insert(Webhook, { ...settings, ...who, teamId, disabledReason });
      return db.findOneByOrFail(Webhook, { id: (identifiers[0] as { id: string }).id });
    });
  }

  async list(caller: Principal, team: string, query: PageQuery): Promise<Webhook[]> {
    return this.webhooks.findPage(requireTeamAdmin(caller, team).teamId, query);
  }

  async get(caller: Principal, team: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.find(requireTeamAdmin(caller, team).teamId, id);
    if (!webhook) throw new WebhookNotFoundError(id);
    return webhook;
  }

  /** What is absent stays. Enabling forgets past failures. */
  async update(caller: Principal, team: string, id: string, changes: Partial<WebhookSettings>): Promise<Webhook> {
    const { teamId } = requireTeamAdmin(caller, team);
    if (changes.urlEndpoint !== undefined) await this.checkEndpoint(changes.urlEndpoint);
    return this.dataSource.transaction(async (db) => {
      await lockTeam(db, teamId);
      const webhook = await this.webhooks.find(teamId, id, db);
      if (!webhook) throw new WebhookNotFoundError(id);
      if (changes.name !== undefined) await requireFreeName(db, teamId, changes.name, id);
      await this.credentials.check(db, teamId, changes);
      await db.update(
        Webhook,
        { id },
        {
          ...changes,
          ...switched(webhook, changes.enabled),
          updatedBy: caller.username,
          updatedAt: new Date(),
        },
      );
      return db.findOneByOrFail(Webhook, { id });
    });
  }

  async delete(caller: Principal, team: string, id: string): Promise<void> {
    const { teamId } = requireTeamAdmin(caller, team);
    const { affected } = await this.dataSource.manager.delete(Webhook, { id, teamId });
    if (!affected) throw new WebhookNotFoundError(id);
  }

  /** One attempt, which changes nothing and is stored nowhere. */
  async test(caller: Principal, team: string, id: string, payload: unknown): Promise<Attempt> {
    const webhook = await this.get(caller, team, id);
    const text = readPayload(payload, ['body', 'payload'], webhook.secretRef);
    const variables = { entity_name: team, event_author: caller.username, event_type: 'TEST' };
    return this.delivery.attempt(webhook, { id: randomUUID(), payload: text, variables });
  }

  private async checkEndpoint(url: string): Promise<void> {
    try {
      await this.guard.checkForSaving(url);
    } catch (error) {
      if (!(error instanceof EndpointRefusedError)) throw error;
      // Without the URL: it may hold a password.
      throw ValidationError.at(['body', 'url_endpoint'], error.message, error.code);
    }
  }
}

/** Changes to one team's webhooks come one after the other: names stay unique, and the limit holds. */
async function lockTeam(db: EntityManager, id: string): Promise<void> {
  await db.findOneOrFail(Team, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

async function requireFreeName(db: EntityManager, teamId: string, name: string, id?: string): Promise<void> {
  if (await db.existsBy(Webhook, { teamId, name, ...(id ? { id: Not(id) } : {}) })) throw new WebhookExistsError(name);
}

function switched(webhook: Webhook, enabled: boolean | undefined): Partial<Webhook> {
  if (enabled === undefined || enabled === webhook.enabled) return {};
  return enabled ? { ...WELL, disabledReason: null } : { disabledReason: 'admin' };
}
