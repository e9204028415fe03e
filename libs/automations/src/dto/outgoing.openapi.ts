import type { OpenAPIObject } from '@nestjs/swagger';
import { parseTemplate, payloadText, render, type TemplateVariables } from '@heddle/webhooks';
import { EVENT_TYPES, type EventType } from '../events/event-types.js';
import { FILTER_EXAMPLES, WHEN } from '../events/event.openapi.js';
import { variablesOf } from '../events/event-variables.js';
import { scopeKey } from '../firing/scope-key.js';
import type { Scope } from '../automations/scope-access.service.js';
import { sampleEvent } from '../evaluation/sample-event.js';
import { metricCondition } from '../matching/metric-condition.js';
import { metricVariables } from '../matching/metric-variables.js';
import { payloadExampleOf } from './automation.openapi.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;
type Operation = NonNullable<Webhooks[string]['post']>;
type Header = Extract<NonNullable<Operation['parameters']>[number], { name: string }>;

const ID = '3f0e6f0a-6b0f-4a44-9d6e-0a8f3c1d2b11';

const header = (name: string, description: string, example: string, required = false): Header => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string', example },
});

const HEADERS: Header[] = [
  header('webhook-id', 'Of the execution, the same on every attempt: what came before is to be ignored.', ID, true),
  header('webhook-timestamp', 'When the attempt was made: seconds since 1970.', '1767225600', true),
  header(
    'webhook-signature',
    'Of webhooks with a secret, as [Standard Webhooks](https://www.standardwebhooks.com) says: `v1,` and the HMAC-SHA256 of `ID.TIMESTAMP.BODY` in base64.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  header(
    'x-service-signature',
    'Of webhooks with a secret: the HMAC-SHA256 of the body in hexadecimal.',
    '88aab3ede8d3adf94d26ab90d3bafd4a2083070c3bcce9c014ee04a443847c0b',
  ),
  header('authorization', 'Of webhooks with an access token: `Bearer` and the token.', 'Bearer ghp_0a1b2c3d'),
  header(
    'x-heddle-cause',
    'Send it back as `x-caused-by-execution` when you call this API because of the event, so that automations end in no circle.',
    `${ID}.5d0b7a52-2a56-4a0c-8d39-7b9b1f6f0c1e`,
  ),
];

const RESPONSES: Operation['responses'] = {
  '2XX': { description: 'Delivered. At most 16 KiB of the answer are kept for the history.' },
  '410': { description: 'The receiver is gone: the webhook is disabled.' },
  '429': { description: 'Tried again, not before `Retry-After`; so is 503.' },
  default: {
    description:
      'Tried again with growing delays, as is silence for 15 s. Redirects count as failures and are not followed.',
  },
};

/** The requests that automations send, for those who write the receiver: one for each event type. */
export function describeOutgoing(): Webhooks {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }]));
}

const operationOf = (type: EventType): Operation => ({
  operationId: `Outgoing_${type}`,
  tags: ['automations'],
  summary: WHEN[type],
  description: 'The body is what the automation says (`action.request_payload`), filled in: at most 256 KiB.',
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: {}, example: exampleOf(type) } },
  },
  responses: RESPONSES,
});

/** What the example of an automation would send. */
function exampleOf(type: EventType): unknown {
  const template = parseTemplate(payloadText(payloadExampleOf(type)), null);
  return JSON.parse(render(template, sampleVariables(type), { accessToken: null, secret: null }));
}

const SCOPE: Scope = {
  ...{ type: 'PROJECT', key: scopeKey('PROJECT', 0), id: 'weavers/loom' },
  ...{ teamId: '', entity: 'weavers', projectId: 0, registryId: null },
};

function sampleVariables(type: EventType): TemplateVariables {
  const event = sampleEvent(type, SCOPE, { userId: '', username: 'ada' }, {}, 'val/reward');
  const variables = variablesOf(event, type, 'Tell the pipeline');
  const condition = metricCondition(type, FILTER_EXAMPLES[type]);
  if (!condition) return variables;
  const verdict = condition.judge({ values: valuesFor(type, condition.needs), before: condition.needs - 1, after: 0 });
  return { ...variables, ...metricVariables(condition, verdict) };
}

/** They lie still and leave for the sky, where numbers end: every example of a condition is met. */
const valuesFor = (type: EventType, count: number): number[] =>
  type === 'RUN_METRIC_NOT_FINITE'
    ? [NaN]
    : Array.from({ length: count }, (_, at) => Math.round(900 + 2000 * ((at + 1) / count) ** 12) / 1000);
