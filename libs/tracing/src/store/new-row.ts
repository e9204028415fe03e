import { encodeText } from '@heddle/json';
import { indexedText, isShortened } from '../values/indexed-text.js';
import { type CallWrite, emptyWrite } from './call-write.js';
import type { CallEnd, CallStart, NewCall } from './new-call.js';
import { isOdd, payloadCells, refsOf } from './payload-cells.js';

/**
 * A row from what is said about a call. Nothing in it can fail: what can't be stored as it came is encoded or shortened
 * here, so that PostgreSQL has no reason to refuse the row.
 * @param author who says it
 */
export function newRow(projectId: number, author: string, { id, start, end }: NewCall): CallWrite {
  const names = { long_texts: null };
  const row = emptyWrite(projectId, indexedCell(names, id));
  row.long_texts = names.long_texts;
  if (start) addStart(row, start, author);
  if (end) addEnd(row, end);
  if (!start) row.rename = encoded(end?.display_name);
  return row;
}

function addStart(row: CallWrite, start: CallStart, author: string): void {
  row.trace_id = indexedCell(row, start.trace_id);
  row.parent_id = indexed(row, start.parent_id);
  row.thread_id = indexed(row, start.thread_id);
  row.turn_id = indexed(row, start.turn_id);
  row.op_name = indexed(row, start.op_name);
  row.wb_run_id = indexed(row, start.wb_run_id);
  row.display_name = encoded(start.display_name);
  row.started_at = start.started_at;
  row.wb_user_id = author;
  row.wb_run_step = start.wb_run_step ?? null;
  row.otel_dump = start.otel_dump ?? null;
  row.attributes = start.attributes ?? null;
  row.inputs = start.inputs ?? null;
  row.input_refs = refsOf(start.inputs);
}

function addEnd(row: CallWrite, end: CallEnd): void {
  row.ended_at = end.ended_at;
  row.exception = encoded(end.exception);
  row.wb_run_step_end = end.wb_run_step_end ?? null;
  row.output = end.output ?? null;
  row.output_refs = refsOf(end.output);
  row.summary = end.summary ?? null;
}

export const hasOddPayload = ({ start, end }: NewCall): boolean =>
  isOdd(start?.attributes) || isOdd(start?.inputs) || isOdd(end?.output) || isOdd(end?.summary);

/** Completes the row of a call that has an odd payload. */
export async function addOddCells(row: CallWrite, { start, end }: NewCall): Promise<void> {
  if (isOdd(start?.attributes)) row.attributes_search = (await payloadCells(start.attributes)).search;
  if (isOdd(start?.inputs)) ({ refs: row.input_refs, search: row.inputs_search } = await payloadCells(start.inputs));
  if (isOdd(end?.output)) ({ refs: row.output_refs, search: row.output_search } = await payloadCells(end.output));
  if (isOdd(end?.summary)) row.summary_search = (await payloadCells(end.summary)).search;
}

/** A string's form for an indexed column. The original of a shortened one is kept beside it. */
export function indexedCell(row: Pick<CallWrite, 'long_texts'>, text: string): string {
  const stored = indexedText(text);
  if (isShortened(stored)) row.long_texts = { ...row.long_texts, [stored]: encodeText(text) };
  return stored;
}

const indexed = (row: CallWrite, text: string | null | undefined): string | null =>
  text == null ? null : indexedCell(row, text);

const encoded = (text: string | null | undefined): string | null => (text == null ? null : encodeText(text));
