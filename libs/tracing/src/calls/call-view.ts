import { decodeText, type JsonMember, jsonObject, raw } from '@heddle/json';
import type { CallRecord } from '../store/call-record.js';
import { summaryText, type SummaryAdditions } from './call-summary.js';
import { originalText } from '../values/indexed-text.js';

export type { SummaryAdditions } from './call-summary.js';

/**
 * A call as clients see it: payloads as they were sent, and `summary.weave` computed.
 * @param projectId `entity/project`
 * @param additions what the request asked to be read with the call
 */
export function callText(call: CallRecord, projectId: string, additions: SummaryAdditions = {}): Buffer {
  return jsonObject(callMembers(call, projectId, additions));
}

/** The same as members, for those who leave some out. */
export function callMembers(call: CallRecord, projectId: string, additions: SummaryAdditions = {}): JsonMember[] {
  const original = (stored: string | null): string | null =>
    stored === null ? null : originalText(stored, call.long_texts);
  return [
    ['id', original(call.id)],
    ['project_id', projectId],
    ['op_name', original(call.op_name) ?? ''],
    ['display_name', call.display_name ? decodeText(call.display_name) : null],
    ['trace_id', original(call.trace_id) ?? ''],
    ['parent_id', original(call.parent_id)],
    ['thread_id', original(call.thread_id)],
    ['turn_id', original(call.turn_id)],
    ['started_at', call.started_at],
    ['ended_at', call.ended_at],
    ['attributes', raw(call.attributes ?? '{}')],
    ['inputs', raw(call.inputs ?? '{}')],
    ['output', raw(call.output ?? 'null')],
    ['exception', call.exception === null ? null : decodeText(call.exception)],
    ['summary', raw(summaryText(call, additions))],
    ['wb_user_id', call.wb_user_id],
    ['wb_run_id', original(call.wb_run_id)],
    ['wb_run_step', raw(call.wb_run_step ?? 'null')],
    ['wb_run_step_end', raw(call.wb_run_step_end ?? 'null')],
    ['otel_dump', call.otel_dump === null ? undefined : raw(call.otel_dump)],
    ['deleted_at', null],
    ['storage_size_bytes', call.storage_size_bytes],
    ['total_storage_size_bytes', call.total_storage_size_bytes],
  ];
}
