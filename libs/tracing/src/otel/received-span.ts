import type { JsonNode } from '@heddle/json';
import type { RejectedSpanError } from './otel.errors.js';

/** One span of a request in OTLP's JSON form, with what it shares with its neighbours; or why it has none. */
export interface ReceivedSpan {
  resource: JsonNode | undefined;
  scope: JsonNode | undefined;
  span: JsonNode | RejectedSpanError;
}
