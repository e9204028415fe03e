import type { OtelMap } from './otel-value.js';

/** A span as OTLP sends it: ids in lower-case hex, times in nanoseconds since 1970. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  startNanos: bigint;
  /** 0 while the span is running. */
  endNanos: bigint;
  attributes: OtelMap;
  events: OtlpEvent[];
  /** Null unless the span's status is an error. */
  error: { message: string } | null;
}

export interface OtlpEvent {
  name: string;
  attributes: OtelMap;
}
