import { ExportTraceServiceResponse } from './otlp-messages.js';

/** What became of the spans of one request. */
export interface ExportResult {
  /** Why spans were refused, one line for each. */
  rejections: string[];
}

const MAX_REASONS = 5;

/** ExportTraceServiceResponse in the request's own encoding; empty when every span was taken. */
export function exportResponse({ rejections }: ExportResult, encoding: 'json' | 'protobuf'): Buffer {
  const shown = rejections.slice(0, MAX_REASONS);
  const more = rejections.length - shown.length;
  const errorMessage = shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  const answer =
    rejections.length === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejections.length), errorMessage } };
  if (encoding === 'json') return Buffer.from(JSON.stringify(answer));
  return Buffer.from(ExportTraceServiceResponse.encode(ExportTraceServiceResponse.fromObject(answer)).finish());
}
