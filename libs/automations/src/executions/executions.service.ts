import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MissingRoleError, type Principal } from '@heddle/auth';
import { type AutomationAttempt, type AutomationExecution, Webhook } from '@heddle/database';
import { NotFoundError, type PageQuery, ValidationError } from '@heddle/http';
import { WebhookNotFoundError } from '@heddle/webhooks';
import type { Repository } from 'typeorm';
import { ExecutionNotFoundError, ExecutionPendingError, WebhookUnfitError } from '../automations/automations.errors.js';
import { AutomationsService, type ScopeInput } from '../automations/automations.service.js';
import { ScopeAccessService, type ScopeRole } from '../automations/scope-access.service.js';
import { Clock } from '../delivery/clock.js';
import { DeliveryRelay } from '../delivery/delivery.relay.js';
import type { ExecutionView } from './execution-view.js';
import { type ExecutionFilter, ExecutionsRepository } from './executions.repository.js';

/** What automations did: whoever sees the scope sees it, its administrators deliver again. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly automations: AutomationsService,
    private readonly access: ScopeAccessService,
    private readonly executions: ExecutionsRepository,
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly relay: DeliveryRelay,
    private readonly clock: Clock,
  ) {}

  async list(
    caller: Principal,
    automationId: string,
    filter: ExecutionFilter,
    query: PageQuery,
  ): Promise<ExecutionView[]> {
    await this.automations.find(caller, automationId, 'viewer');
    return this.executions.view(await this.executions.findPage(caller, { ...filter, automationId }, query));
  }

  /** What all automations of a scope did, or all that the caller may see. */
  async listAll(
    caller: Principal,
    scope: ScopeInput | undefined,
    filter: ExecutionFilter,
    query: PageQuery,
  ): Promise<ExecutionView[]> {
    const loc = ['query', 'scope_id'];
    const scopeKey = scope && (await this.access.require(caller, scope.scope_type, scope.scope_id, 'viewer', loc)).key;
    return this.executions.view(await this.executions.findPage(caller, { ...filter, scopeKey }, query));
  }

  async get(caller: Principal, id: string): Promise<ExecutionView> {
    const [view] = await this.executions.view([await this.find(caller, id, 'viewer')]);
    if (!view) throw new ExecutionNotFoundError(id);
    return view;
  }

  /** For administrators: a receiver's answer may say what not everybody should read. */
  async listAttempts(caller: Principal, id: string, query: PageQuery): Promise<AutomationAttempt[]> {
    await this.find(caller, id, 'admin');
    return this.executions.findAttempts(id, query);
  }

  /** A new round of attempts, with the same id. */
  async redeliver(caller: Principal, id: string): Promise<ExecutionView> {
    const { automationId } = await this.find(caller, id, 'admin');
    const { automation } = await this.automations.find(caller, automationId, 'admin');
    requireEnabled(automation.webhookId, await this.webhooks.findOneBy({ id: automation.webhookId }));
    if (!(await this.executions.redeliver(id, this.clock.now()))) throw new ExecutionPendingError(id);
    this.relay.wake();
    return this.get(caller, id);
  }

  /** Delivers again what failed or was skipped, and at once what waits. @returns how many executions */
  async recover(caller: Principal, webhookId: string, since: Date, until: Date | undefined): Promise<number> {
    const webhook = await this.webhooks.findOne({ where: { id: webhookId }, relations: { team: true } });
    const membership = webhook && caller.teams.get(webhook.team.name);
    if (!membership) throw new WebhookNotFoundError(webhookId);
    if (membership.role !== 'admin') throw new MissingRoleError('admin', `team '${webhook.team.name}'`);
    requireEnabled(webhookId, webhook);
    const now = this.clock.now();
    if ((until ?? now) < since) throw ValidationError.at(['body', 'until'], 'must not be before since', 'until');
    const count = await this.executions.recover(webhookId, since, until ?? now, now);
    if (count > 0) this.relay.wake();
    return count;
  }

  private async find(caller: Principal, id: string, role: ScopeRole): Promise<AutomationExecution> {
    const execution = await this.executions.find(id);
    if (!execution) throw new ExecutionNotFoundError(id);
    try {
      await this.automations.find(caller, execution.automationId, role);
    } catch (error) {
      throw error instanceof NotFoundError ? new ExecutionNotFoundError(id) : error;
    }
    return execution;
  }
}

/** What can't be sent is not promised. */
function requireEnabled(id: string, webhook: Webhook | null): void {
  if (!webhook) throw new WebhookUnfitError(id, 'webhook_deleted', 'is deleted: give the automation another one');
  if (!webhook.enabled) throw new WebhookUnfitError(id, 'webhook_disabled', 'is disabled: enable it first');
}
