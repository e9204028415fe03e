import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import type { Principal } from '@heddle/auth';
import { Automation } from '@heddle/database';
import { NotFoundError, type PageQuery } from '@heddle/http';
import { readPayload } from '@heddle/webhooks';
import type { EntityManager } from 'typeorm';
import { type AnyFilter } from '../events/event-filter.js';
import type { EventType } from '../events/event-types.js';
import { ActionWebhookService } from './action-webhook.service.js';
import { AutomationChangesService } from './automation-changes.service.js';
import { type EventInput, mergeEvent, readEvent } from './automation-input.js';
import {
  AutomationNotFoundError,
  DeletionNotConfirmedError,
  ScopeIsFixedError,
  TooManyAutomationsError,
} from './automations.errors.js';
import { type AutomationFilter, AutomationsRepository } from './automations.repository.js';
import { type Scope, ScopeAccessService, type ScopeRole } from './scope-access.service.js';

export interface ActionInput {
  team?: string;
  webhook_id?: string;
  /** JSON, or its text with placeholders. */
  request_payload?: unknown;
}

export interface ScopeInput {
  scope_type: Scope['type'];
  scope_id: string;
}

export interface NewAutomation {
  name: string;
  description?: string | null;
  enabled: boolean;
  scope: ScopeInput;
  event: EventInput;
  action: Required<Pick<ActionInput, 'team' | 'webhook_id'>> & ActionInput;
}

export type AutomationUpdate = Partial<Omit<NewAutomation, 'action'>> & { action?: ActionInput };

const PAYLOAD = ['body', 'action', 'request_payload'];

/** Automations as people manage them. */
@Injectable()
export class AutomationsService {
  constructor(
    private readonly access: ScopeAccessService,
    private readonly webhooks: ActionWebhookService,
    private readonly repository: AutomationsRepository,
    private readonly changes: AutomationChangesService,
    private readonly env: Env,
  ) {}

  async create(
    caller: Principal,
    { scope: given, event, action, name, description, enabled }: NewAutomation,
  ): Promise<Automation> {
    const scope = await this.access.require(caller, given.scope_type, given.scope_id, 'admin');
    const { eventType, filter } = readEvent(scope, event);
    const webhook = await this.webhooks.require(caller, action.team, action.webhook_id);
    const requestPayload = readPayload(action.request_payload, PAYLOAD, webhook.secretRef);
    const limit = this.env.AUTOMATIONS_PER_SCOPE;
    const id = await this.changes.apply(scope.key, async (manager) => {
      if ((await manager.countBy(Automation, { scopeKey: scope.key })) >= limit)
        throw new TooManyAutomationsError(limit);
      const { identifiers } = await manager.insert(Automation, {
        ...{ scopeKey: scope.key, scopeType: scope.type, teamId: scope.teamId },
        ...{ projectId: scope.projectId, registryId: scope.registryId },
        ...{ name, description: description ?? null, enabled, eventType, filter: JSON.stringify(filter) },
        ...{ actionTeamId: webhook.teamId, webhookId: webhook.id, requestPayload },
        ...{ createdBy: caller.username, updatedBy: caller.username },
      });
      return (identifiers[0] as { id: string }).id;
    });
    return this.repository.get(id);
  }

  /** Those of a scope, or all in the caller's teams. */
  async list(
    caller: Principal,
    scope: ScopeInput | undefined,
    filter: AutomationFilter,
    query: PageQuery,
  ): Promise<Automation[]> {
    if (!scope) return this.repository.findPage(caller, filter, query);
    const { key } = await this.access.require(caller, scope.scope_type, scope.scope_id, 'viewer', [
      'query',
      'scope_id',
    ]);
    return this.repository.findPage(caller, { ...filter, scopeKey: key }, query);
  }

  async get(caller: Principal, id: string): Promise<Automation> {
    return (await this.find(caller, id, 'viewer')).automation;
  }

  /** What is not named stays, in the filter too. */
  async update(
    caller: Principal,
    id: string,
    { scope: given, event, action, ...fields }: AutomationUpdate,
  ): Promise<Automation> {
    const { automation, scope } = await this.find(caller, id, 'admin');
    if (given) {
      const named = await this.access.require(caller, given.scope_type, given.scope_id, 'admin');
      if (named.key !== scope.key) throw new ScopeIsFixedError();
    }
    await this.changes.apply(scope.key, async (manager) => {
      // As it is now, and stays until this has committed: changes of a scope come one after the other.
      const before = await manager.findOne(Automation, { where: { id }, relations: { actionTeam: true } });
      if (!before) throw new AutomationNotFoundError(id);
      await manager.update(Automation, id, {
        ...fields,
        ...(event && changedEvent(scope, before, event)),
        ...(action && (await this.changedAction(manager, caller, before, action))),
        ...{ updatedBy: caller.username, updatedAt: new Date() },
      });
    });
    return this.repository.get(automation.id);
  }

  async delete(caller: Principal, id: string, confirm: string | undefined): Promise<void> {
    const { automation, scope } = await this.find(caller, id, 'admin');
    if (confirm !== automation.name) throw new DeletionNotConfirmedError();
    await this.changes.apply(scope.key, (manager) => manager.delete(Automation, { id }));
  }

  /** The automation and its scope, for callers with this role there. */
  async find(caller: Principal, id: string, role: ScopeRole): Promise<{ automation: Automation; scope: Scope }> {
    const automation = await this.repository.find(id);
    if (!automation) throw new AutomationNotFoundError(id);
    try {
      return {
        automation,
        scope: await this.access.require(caller, automation.scopeType, scopeIdOf(automation), role),
      };
    } catch (error) {
      // The scope's own answer would name it to a stranger.
      throw error instanceof NotFoundError ? new AutomationNotFoundError(id) : error;
    }
  }

  private async changedAction(
    manager: EntityManager,
    caller: Principal,
    before: Automation,
    action: ActionInput,
  ): Promise<Partial<Automation>> {
    const { team = before.actionTeam.name, webhook_id = before.webhookId } = action;
    const webhook = await this.webhooks.require(caller, team, webhook_id, manager);
    const payload = action.request_payload === undefined ? before.requestPayload : action.request_payload;
    // An old payload, too, must fit a new webhook: it may name the secret of the old one.
    const requestPayload = readPayload(payload, PAYLOAD, webhook.secretRef);
    return { actionTeamId: webhook.teamId, webhookId: webhook.id, requestPayload };
  }
}

function changedEvent(scope: Scope, before: Automation, event: EventInput): Partial<Automation> {
  const known = { eventType: before.eventType as EventType, filter: JSON.parse(before.filter) as AnyFilter };
  const { eventType, filter } = readEvent(scope, mergeEvent(known, event));
  return { eventType, filter: JSON.stringify(filter) };
}

/** As the API shows it; the relations are loaded. */
export function scopeIdOf({ team, project, registry }: Automation): string {
  const place = project ?? registry;
  return place ? `${team.name}/${place.name}` : team.name;
}
