import type { JsonNode } from '@heddle/json';
import { RejectedSpanError } from './otel.errors.js';
import type { OtlpEvent, OtlpSpan } from './otlp-span.js';
import { readAttributes, readBigInt } from './read-value.js';
import { member } from './wire-member.js';

const STATUS_ERROR = new Set(['2', 'STATUS_CODE_ERROR']);

/**
 * Reads a span in OTLP's JSON form.
 * @throws RejectedSpanError if it can't become a call
 */
export function readSpan(node: JsonNode): OtlpSpan {
  if (node.kind !== 'object') throw new RejectedSpanError('a span must be an object');
  const startNanos = readNanos(node, 'startTimeUnixNano');
  if (startNanos === 0n) throw new RejectedSpanError('startTimeUnixNano is missing');
  return {
    traceId: readId(node, 'traceId', 16),
    spanId: readId(node, 'spanId', 8),
    parentSpanId: isBlank(member(node, 'parentSpanId')) ? null : readId(node, 'parentSpanId', 8),
    // OTLP: an empty name means that it is unknown.
    name: node.get('name')?.string() || 'unknown',
    startNanos,
    endNanos: readNanos(node, 'endTimeUnixNano'),
    attributes: readAttributes(node.get('attributes')),
    events: [...(node.get('events')?.items() ?? [])].map(readEvent),
    error: readError(node.get('status')),
  };
}

function readEvent(node: JsonNode): OtlpEvent {
  return { name: node.get('name')?.string() ?? '', attributes: readAttributes(node.get('attributes')) };
}

function readError(status: JsonNode | undefined): { message: string } | null {
  const code = status?.get('code');
  if (!status || !code || !STATUS_ERROR.has(code.string() ?? code.text())) return null;
  return { message: status.get('message')?.string() ?? '' };
}

function isBlank(id: JsonNode | undefined): boolean {
  return !id || id.kind === 'null' || /^0*$/.test(id.string() ?? '-');
}

/** Hex, as OTLP asks for, or base64, as protobuf's own JSON form has bytes. */
function readId(node: JsonNode, name: string, bytes: number): string {
  const sent = member(node, name)?.string() ?? '';
  const id = sent.endsWith('=') ? Buffer.from(sent, 'base64').toString('hex') : sent;
  if (id.length !== bytes * 2 || !/^[0-9a-f]+$/i.test(id) || /^0+$/.test(id)) {
    throw new RejectedSpanError(`${name} must be ${bytes} bytes, not all zero`);
  }
  return id.toLowerCase();
}

function readNanos(node: JsonNode, name: string): bigint {
  const time = member(node, name);
  if (!time || time.kind === 'null') return 0n;
  const nanos = readBigInt(time);
  if (nanos < 0n || nanos >= 2n ** 64n) throw new RejectedSpanError(`${name} is out of range`);
  return nanos;
}
