import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { Automation, AutomationEvent, Webhook } from '@heddle/database';
import type { DomainEvent, RunMetricsEvent } from '@heddle/events';
import type { PageQuery } from '@heddle/http';
import { parseExact } from '@heddle/json';
import {
  parseTemplate,
  PayloadTooLargeError,
  renderMasked,
  TemplateError,
  type TemplateVariables,
  WebhooksRepository,
} from '@heddle/webhooks';
import type { DataSource } from 'typeorm';
import { EventNotFoundError } from '../automations/automations.errors.js';
import { AutomationsService } from '../automations/automations.service.js';
import type { AnyFilter } from '../events/event-filter.js';
import { domainTypeOf, type EventType } from '../events/event-types.js';
import { variablesOf } from '../events/event-variables.js';
import { conditionsOf } from '../matching/conditions.js';
import { factsOf } from '../matching/event-facts.js';
import { metricCondition, type MetricStretch, NO_VALUES } from '../matching/metric-condition.js';
import { metricVariables } from '../matching/metric-variables.js';
import { MetricHistoryRepository } from '../matching/metric-history.repository.js';
import { type Sample, sampleEvent } from './sample-event.js';
import { StoredEventsRepository } from './stored-events.repository.js';

/** One thing that must hold for an automation to fire. */
export interface Check {
  field: string;
  expected: unknown;
  actual: unknown;
  passed: boolean;
}

export interface Evaluation {
  checks: Check[];
  event: DomainEvent;
  /** As it would be sent, secrets masked; null where it can't be rendered. */
  payload: string | null;
  payloadError: string | null;
}

/** Tries an automation out: judges an event by the rules that fire it, and sends nothing. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly automations: AutomationsService,
    private readonly events: StoredEventsRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly history: MetricHistoryRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Events of the kind that the automation watches, in its scope, whether it fired or not. */
  async listEvents(caller: Principal, id: string, query: PageQuery): Promise<AutomationEvent[]> {
    const { automation, scope } = await this.automations.find(caller, id, 'viewer');
    return this.events.findPage(scope, domainTypeOf(automation.eventType as EventType), query);
  }

  async evaluate(caller: Principal, id: string, eventId: string | undefined, sample: Sample): Promise<Evaluation> {
    const { automation, scope } = await this.automations.find(caller, id, 'admin');
    const eventType = automation.eventType as EventType;
    const filter = JSON.parse(automation.filter) as AnyFilter;
    const stored = eventId === undefined ? undefined : await this.events.find(scope, eventId);
    if (stored === null) throw new EventNotFoundError(eventId!);
    const event = stored
      ? (parseExact(stored.event) as DomainEvent)
      : sampleEvent(eventType, scope, caller, sample, filter['name'] as string | undefined);
    const webhook = await this.webhooks.find(automation.actionTeamId, automation.webhookId);
    const metric = await this.judgeMetric(
      eventType,
      filter,
      event,
      stored ? undefined : (sample.metric_values ?? []).map(Number),
    );
    const facts = factsOf(event);
    const checks = [
      check('enabled', true, automation.enabled),
      check('event.event_type', domainTypeOf(eventType), event.type),
      ...conditionsOf(eventType, filter).map((condition) => ({
        field: `event.filter.${condition.field}`,
        expected: condition.expected,
        actual: condition.actual(facts) ?? null,
        passed: condition.test(facts),
      })),
      ...(metric ? [metric.check] : []),
      check('webhook', 'enabled', webhook === null ? 'deleted' : webhook.enabled ? 'enabled' : 'disabled'),
    ];
    const variables = { ...variablesOf(event, eventType, automation.name), ...metric?.variables };
    return { checks, event, ...rendered(automation, webhook, variables) };
  }

  private async judgeMetric(
    eventType: EventType,
    filter: AnyFilter,
    event: DomainEvent,
    sampleValues: readonly number[] | undefined,
  ): Promise<{ check: Check; variables: TemplateVariables } | undefined> {
    const condition = metricCondition(eventType, filter);
    if (!condition || event.type !== 'RUN_METRICS_LOGGED') return undefined;
    const { metric, needs, threshold, shortText } = condition;
    const stretch = sampleValues
      ? { values: sampleValues, before: sampleValues.length - 1, after: 0 }
      : await this.stored(event, metric, needs);
    const verdict = condition.judge(stretch);
    return {
      check: {
        field: `metric ${metric}`,
        expected: threshold ?? shortText,
        actual: verdict.note(),
        passed: verdict.met,
      },
      variables: metricVariables(condition, verdict),
    };
  }

  private async stored({ run, metrics }: RunMetricsEvent, metric: string, needs: number): Promise<MetricStretch> {
    const found = await this.history.around(this.dataSource.manager, run.id, metrics, new Map([[metric, needs]]));
    return found.get(metric) ?? NO_VALUES;
  }
}

const check = (field: string, expected: unknown, actual: unknown): Check => ({
  field,
  expected,
  actual,
  passed: expected === actual,
});

function rendered(
  { requestPayload }: Automation,
  webhook: Webhook | null,
  variables: TemplateVariables,
): Pick<Evaluation, 'payload' | 'payloadError'> {
  if (!webhook) return { payload: null, payloadError: 'The webhook is deleted' };
  const has = { accessToken: webhook.accessTokenRef !== null, secret: webhook.secretRef !== null };
  try {
    return {
      payload: renderMasked(parseTemplate(requestPayload, webhook.secretRef), variables, has),
      payloadError: null,
    };
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof PayloadTooLargeError)) throw error;
    return { payload: null, payloadError: error.message };
  }
}
