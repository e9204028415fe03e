import { QueryClient } from '../query/query-client.js';

type Attribute = string | number | boolean | Attribute[];

/** Ids are unique in one project; a child's parent is named by its id. */
export interface GivenSpan {
  id: string;
  parent?: string | null;
  name?: string;
  /** Milliseconds after noon; the span then lasts for a second. */
  at?: number;
  attributes?: Record<string, Attribute>;
  /** Fields of the span on the wire that replace those made of the others. */
  wire?: object;
}

const NOON = Date.UTC(2026, 0, 31, 12);
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

const anyValue = (value: Attribute): object => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};
const keyValues = (attributes: Record<string, Attribute>): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

export const wireSpan = ({ id, parent, name = 'span', at = 0, attributes = {}, wire = {} }: GivenSpan): object => ({
  traceId: TRACE_ID,
  spanId: id,
  ...(parent ? { parentSpanId: parent } : {}),
  name,
  startTimeUnixNano: `${NOON + at}000000`,
  endTimeUnixNano: `${NOON + at + 1000}000000`,
  attributes: keyValues(attributes),
  ...wire,
});

/** Sends spans of one trace in OTLP/JSON, as one service. */
export class SpanSender extends QueryClient {
  async send(...spans: GivenSpan[]): Promise<void> {
    const resource = { attributes: keyValues({ 'service.name': 'shop', 'deployment.environment': 'test' }) };
    await this.export({ resourceSpans: [{ resource, scopeSpans: [{ spans: spans.map(wireSpan) }] }] });
  }

  async export(request: object): Promise<void> {
    const headers = { ...this.user.basic, project_id: this.projectId, 'content-type': 'application/json' };
    const body = JSON.stringify(request);
    const response = await fetch(`${this.api.url}/otel/v1/traces`, { method: 'POST', headers, body });
    const answer = await response.text();
    if (answer !== '{}') throw new Error(`${response.status} ${answer}`);
  }

  /** Tokens by model of a call with all below it. */
  async usage(id: string): Promise<Record<string, Record<string, number | null>>> {
    const response = await this.post('/calls/usage', { call_ids: [id], include_costs: true });
    return ((await response.json()) as { call_usage: Record<string, never> }).call_usage[id]!;
  }

  /** Sums of the day, by model. */
  async sums(...metrics: string[]): Promise<Record<string, Record<string, unknown>>> {
    const day = { start: '2026-01-31T00:00:00Z', end: '2026-02-01T00:00:00Z', granularity: 86_400 };
    const usage_metrics = metrics.map((metric) => ({ metric }));
    const response = await this.post('/calls/stats', { ...day, usage_metrics });
    const { usage_buckets } = (await response.json()) as { usage_buckets: ({ model: string } & object)[] };
    return Object.fromEntries(
      usage_buckets.map(({ model, ...bucket }) => [
        model,
        Object.fromEntries(metrics.map((metric) => [metric, (bucket as Record<string, unknown>)[`sum_${metric}`]])),
      ]),
    );
  }
}
