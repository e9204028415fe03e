import type { ProjectRef } from '@heddle/projects';
import type { CallEnd, CallStart, NewCall } from '../store/new-call.js';
import type { Micros } from '../values/timestamp.js';
import type { OtlpSpan } from './otlp-span.js';
import { type OtelMap, type OtelValue, toJson } from './otel-value.js';
import { ATTRIBUTE_KEYS, THREAD_KEYS, TURN_KEY } from './semantic-conventions.js';
import { SpanAttributes, unwrapJson } from './span-attributes.js';
import { payloadsOf } from './span-payloads.js';
import { scopeOf, usageOf } from './span-usage.js';

/**
 * The span as a call. One that hasn't ended is a start.
 * @param project where it goes
 * @param resource attributes of what sent the span
 * @param dump the span as it came
 */
export function spanToCall(
  span: OtlpSpan,
  { entity, name: project }: Pick<ProjectRef, 'entity' | 'name'>,
  resource: OtelMap,
  dump: Buffer | string,
): NewCall {
  const attributes = new SpanAttributes(span.attributes);
  const { inputs, output, taken } = payloadsOf(span, attributes);
  const threadId = attributes.text(THREAD_KEYS);
  const runId = attributes.text(['wandb.wb_run_id']);
  const runStep = attributes.count(['wandb.wb_run_step']);
  const usage = usageOf(attributes);
  const start: CallStart = {
    trace_id: span.traceId,
    parent_id: span.parentSpanId,
    op_name: span.name,
    display_name: attributes.text(['wandb.display_name']),
    thread_id: threadId,
    turn_id: threadId !== null && isTrue(attributes.first([TURN_KEY])?.value ?? true) ? span.spanId : null,
    wb_run_id: runId && (runId.includes('/') ? runId : `${entity}/${project}/${runId}`),
    wb_run_step: runStep === undefined ? null : BigInt(runStep),
    started_at: microsOf(span.startNanos),
    attributes: toJson(attributesOf(attributes, taken, resource, usage !== null)),
    inputs: toJson(inputs),
    otel_dump: dump,
  };
  if (span.endNanos === 0n) return { id: span.spanId, start };
  const end: CallEnd = {
    ended_at: microsOf(span.endNanos),
    exception: exceptionOf(span),
    output: output === null ? null : toJson(output),
    summary: JSON.stringify(usage ? { usage } : {}),
  };
  return { id: span.spanId, start, end };
}

/** What is below a microsecond is cut off. */
const microsOf = (nanos: bigint): Micros => nanos / 1000n;

/** All attributes but those shown as inputs and output, and the usual names for what conventions name differently. */
function attributesOf(attributes: SpanAttributes, taken: string[], resource: OtelMap, states: boolean): OtelMap {
  const nested = attributes.without(taken, sharedAttributes(resource));
  for (const [name, keys] of Object.entries(ATTRIBUTE_KEYS)) {
    const value = attributes.first(keys)?.value;
    if (value !== undefined && !nested.has(name)) nested.set(name, unwrapJson(value));
  }
  const scope = states ? scopeOf(attributes) : null;
  if (scope && !nested.has('usage_scope')) nested.set('usage_scope', scope);
  const custom = attributes.first(['wandb.attributes'])?.value;
  if (custom instanceof Map) for (const [name, value] of custom) nested.set(name, value);
  return nested;
}

/** A resource's attributes can be asked for as `resource.service.name`, and the service also as `service.name`. */
function sharedAttributes(resource: OtelMap): OtelMap {
  const shared: OtelMap = new Map();
  for (const [key, value] of resource) {
    shared.set(`resource.${key}`, value);
    if (key.startsWith('service.')) shared.set(key, value);
  }
  return shared;
}

/** Not empty for a failed span, since an exception is what makes a call a failed one. */
function exceptionOf({ error, events }: OtlpSpan): string | null {
  if (!error) return null;
  if (error.message) return error.message;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes;
  const parts = ['exception.type', 'exception.message'].map((key) => thrown?.get(key));
  return parts.filter((part) => typeof part === 'string' && part !== '').join(': ') || 'Error';
}

function isTrue(value: OtelValue | undefined): boolean {
  return Boolean(value) && value !== 'false';
}
