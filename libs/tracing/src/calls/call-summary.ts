import { appendMember, decodeText, indexJsonSync, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import type { CallRecord } from '../store/call-record.js';
import { originalText } from '../values/indexed-text.js';

/** What a request may ask to be read with a call; it lands in `summary.weave`. Buffers hold JSON text. */
export interface SummaryAdditions {
  costs?: Buffer;
  feedback?: Buffer;
}

type Status = 'running' | 'success' | 'error' | 'descendant_error';

/** The client's summary with `weave` added. Its own keys stay; of its own `weave`, those that aren't computed here. */
export function summaryText(call: CallRecord, additions: SummaryAdditions): Buffer {
  const sent = Buffer.from(call.summary ?? '{}');
  const isObject = sent[0] === 0x7b;
  // Most summaries hold neither key, and those needn't be looked into.
  const looked = isObject && (sent.includes('"status_counts"') || sent.includes('"weave"')) ? index(sent) : undefined;
  const computed = new Map<string, unknown>([
    ['status', statusOf(call, looked)],
    ['trace_name', traceNameOf(call)],
    ['display_name', call.display_name ? decodeText(call.display_name) : undefined],
    ['latency_ms', call.ended_at === null ? undefined : latencyMs(call.started_at, call.ended_at)],
    ['costs', additions.costs && raw(additions.costs)],
    ['feedback', additions.feedback && raw(additions.feedback)],
  ]);
  const kept: JsonMember[] = [...(looked?.get('weave')?.entries() ?? [])]
    .filter(([key]) => !computed.has(key))
    .map(([key, node]) => [key, raw(node.raw())]);
  const weave = raw(jsonObject([...computed, ...kept]));
  // A summary that is no object has no place for ours: it moves one level down, whole.
  return isObject
    ? appendMember(sent, 'weave', weave)
    : jsonObject([
        ['value', raw(sent)],
        ['weave', weave],
      ]);
}

const index = (summary: Buffer): JsonNode =>
  indexJsonSync(summary, { depth: 1, maxDepth: Infinity, maxNodes: Infinity });

function statusOf(call: CallRecord, summary: JsonNode | undefined): Status {
  if (call.exception) return 'error';
  if (call.ended_at === null) return 'running';
  const errors = summary?.get('status_counts')?.get('error')?.number() ?? 0;
  return errors > 0 ? 'descendant_error' : 'success';
}

/** `weave:///entity/project/op/NAME:digest` -> NAME; any other op name is the trace's name itself. */
function traceNameOf(call: CallRecord): string {
  if (call.display_name) return decodeText(call.display_name);
  const opName = call.op_name === null ? '' : originalText(call.op_name, call.long_texts);
  return /^weave(?:-trace-internal)?:\/\/\/.*\/op\/([^/:]+)(?::[^/]*)?$/.exec(opName)?.[1] ?? opName;
}

/** Whole milliseconds, towards zero; negative where the call ended before it started. */
function latencyMs(startedAt: string, endedAt: string): number {
  const seconds = (time: string): number => Date.parse(`${time.slice(0, 19)}Z`);
  const micros = (time: string): number => Number(time.slice(20, 26));
  const elapsed = (seconds(endedAt) - seconds(startedAt)) * 1000 + micros(endedAt) - micros(startedAt);
  return Math.trunc(elapsed / 1000);
}
