import { appendMember, indexJsonSync, type JsonNode } from '@heddle/json';
import type { CallEnd, CallStart } from '../store/new-call.js';
import { isUnreadableTime, textOf, timeOf, wholeNumberOf } from './call-scalars.js';

/** What a start on the wire says. Nothing in it can fail: what is missing or can't be read stays null. */
export const readStart = (start: JsonNode, traceId: string): CallStart => ({
  trace_id: traceId,
  parent_id: textOf(start.get('parent_id')),
  thread_id: textOf(start.get('thread_id')),
  turn_id: textOf(start.get('turn_id')),
  op_name: textOf(start.get('op_name')),
  wb_run_id: textOf(start.get('wb_run_id')),
  display_name: textOf(start.get('display_name')),
  started_at: timeOf(start.get('started_at')),
  wb_run_step: wholeNumberOf(start.get('wb_run_step')),
  otel_dump: payload(start.get('otel_dump')),
  attributes: withRepaired(start),
  inputs: payload(start.get('inputs')),
});

/** What an end says. It has no say in who the call is: not even its `started_at` counts, which some clients send. */
export const readEnd = (end: JsonNode): CallEnd => ({
  ended_at: timeOf(end.get('ended_at')),
  exception: textOf(end.get('exception')),
  wb_run_step_end: wholeNumberOf(end.get('wb_run_step_end')),
  output: payload(end.get('output')),
  summary: payload(end.get('summary')),
  display_name: textOf(end.get('display_name')),
});

/**
 * The attributes, with times that couldn't be read as `repaired`: `{started_at: 'yesterday'}`. The call then has the time
 * of its arrival, and nobody should take that for what the client said.
 */
function withRepaired(start: JsonNode): JsonNode | null {
  const attributes = payload(start.get('attributes'));
  const times = ['started_at', 'ended_at'].map((name) => [name, start.get(name)] as const);
  const unreadable = times.filter(([, time]) => isUnreadableTime(time));
  if (unreadable.length === 0 || (attributes && attributes.kind !== 'object')) return attributes;
  const repaired = Object.fromEntries(unreadable.map(([name, time]) => [name, textOf(time)!.slice(0, MAX_ORIGINAL)]));
  const members = attributes?.raw() ?? Buffer.from('{}');
  return indexJsonSync(appendMember(members, 'repaired', repaired));
}

/** Characters kept of a time that can't be read. */
const MAX_ORIGINAL = 200;

/** The JSON text as it was sent: not copied until the statement is made. */
const payload = (node: JsonNode | undefined): JsonNode | null => (!node || node.kind === 'null' ? null : node);
