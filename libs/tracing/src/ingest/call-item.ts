import { appendMember, encodeText, findRefs, indexJsonSync, isPlain, type JsonNode, searchable } from '@heddle/json';
import { isUnreadableTime, textOf, timeOf, wholeNumberOf } from './call-scalars.js';
import type { CallWrite } from '../store/call-write.js';
import { indexedText, isShortened } from '../values/indexed-text.js';

/** Of more references only the first are searchable: each is an entry of an index. */
const MAX_REFS = 1000;

/**
 * What a start says about its call. Nothing in it can fail: what is missing stays null, and what can't be stored as it
 * came is encoded, shortened or left out here, so that PostgreSQL has no reason to refuse the row.
 */
export function addStart(write: CallWrite, start: JsonNode, username: string): void {
  write.parent_id = indexed(write, start.get('parent_id'));
  write.thread_id = indexed(write, start.get('thread_id'));
  write.turn_id = indexed(write, start.get('turn_id'));
  write.op_name = indexed(write, start.get('op_name'));
  write.wb_run_id = indexed(write, start.get('wb_run_id'));
  write.display_name = encoded(start.get('display_name'));
  write.started_at = timeOf(start.get('started_at'));
  // Never what the item says.
  write.wb_user_id = username;
  write.wb_run_step = wholeNumberOf(start.get('wb_run_step'));
  write.otel_dump = payload(start.get('otel_dump'));
  write.attributes = withRepaired(start);
  write.inputs = payload(start.get('inputs'));
  write.input_refs = refs(write.inputs);
}

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

/** What an end says. It has no say in who the call is: not even its `started_at` counts, which some clients send. */
export function addEnd(write: CallWrite, end: JsonNode): void {
  write.ended_at = timeOf(end.get('ended_at'));
  write.exception = encoded(end.get('exception'));
  write.wb_run_step_end = wholeNumberOf(end.get('wb_run_step_end'));
  write.output = payload(end.get('output'));
  write.output_refs = refs(write.output);
  write.summary = payload(end.get('summary'));
}

/** Makes what searches read in place of payloads that PostgreSQL can't look into: rare, and slow where they are large. */
export async function addSearchTexts(write: CallWrite): Promise<void> {
  if (hasSearchText(write.attributes)) write.attributes_search = await searchable(write.attributes);
  if (hasSearchText(write.inputs)) write.inputs_search = await searchable(write.inputs);
  if (hasSearchText(write.output)) write.output_search = await searchable(write.output);
  if (hasSearchText(write.summary)) write.summary_search = await searchable(write.summary);
}

export const needsSearchTexts = (write: CallWrite): boolean =>
  hasSearchText(write.attributes) ||
  hasSearchText(write.inputs) ||
  hasSearchText(write.output) ||
  hasSearchText(write.summary);

const hasSearchText = (payload: JsonNode | null): payload is JsonNode => payload !== null && !isPlain(payload);

/** A string's form for an indexed column. The original of a shortened one is kept beside it. */
export function indexedCell(write: Pick<CallWrite, 'long_texts'>, text: string): string {
  const stored = indexedText(text);
  if (isShortened(stored)) write.long_texts = { ...write.long_texts, [stored]: encodeText(text) };
  return stored;
}

function indexed(write: CallWrite, node: JsonNode | undefined): string | null {
  const text = textOf(node);
  return text === null ? null : indexedCell(write, text);
}

export function encoded(node: JsonNode | undefined): string | null {
  const text = textOf(node);
  return text === null ? null : encodeText(text);
}

/** The JSON text as it was sent: not copied until the statement is made. */
const payload = (node: JsonNode | undefined): JsonNode | null => (!node || node.kind === 'null' ? null : node);

/** The references in a payload as the text of a PostgreSQL array. */
function refs(node: JsonNode | null): string | null {
  const found = node ? findRefs(node, MAX_REFS) : [];
  if (found.length === 0) return null;
  return `{${found.map((ref) => `"${indexedText(ref).replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
