import type { OtelMap } from './otel-value.js';
import type { OtlpSpan } from './otlp-span.js';
import type { RejectedSpanError } from './otel.errors.js';

/** What sent spans: one object for all of them that came in one group. */
export interface SpanSource {
  attributes: OtelMap;
}

/** One span of a request, with its source; or why it has none. */
export type ReceivedSpan =
  | {
      source: SpanSource;
      span: OtlpSpan;
      /** JSON text of the span as it came, with its resource and scope. */
      dump: Buffer | string;
    }
  | RejectedSpanError;
