import { decodeText, indexJsonSync, type JsonMember, raw } from '@heddle/json';
import { isoTime } from '../query/time-literal.js';
import { DETAILS, UNSET_DETAILS } from './feedback-details.js';

/** A row of `feedback` as {@link FEEDBACK_COLUMNS} selects it. Texts as stored, times as ISO 8601. */
export interface FeedbackRow {
  id: string;
  weave_ref: string;
  feedback_type: string;
  /** JSON texts. */
  payload: string;
  details: string;
  creator: string | null;
  annotation_ref: string | null;
  runnable_ref: string | null;
  call_ref: string | null;
  trigger_ref: string | null;
  queue_id: string | null;
  wb_user_id: string;
  created_at: string;
}

/** The select list of a {@link FeedbackRow}, over `feedback c`. */
export const FEEDBACK_COLUMNS = `
  c.id, c.weave_ref, c.feedback_type, c.payload, c.details, c.creator, c.annotation_ref, c.runnable_ref, c.call_ref,
  c.trigger_ref, c.queue_id, c.wb_user_id, ${isoTime('c.created_at')} AS created_at`;

/** Feedback as clients see it. */
export function feedbackMembers(row: FeedbackRow, projectId: string): JsonMember[] {
  const text = (stored: string | null): string | null => stored && decodeText(stored);
  const details = indexJsonSync(Buffer.from(row.details)).entries();
  return [
    ['id', text(row.id)],
    ['project_id', projectId],
    ['weave_ref', text(row.weave_ref)],
    ['wb_user_id', row.wb_user_id],
    ['creator', text(row.creator)],
    ['created_at', row.created_at],
    ['feedback_type', text(row.feedback_type)],
    ['payload', raw(row.payload)],
    ['annotation_ref', text(row.annotation_ref)],
    ['runnable_ref', text(row.runnable_ref)],
    ['call_ref', text(row.call_ref)],
    ['trigger_ref', text(row.trigger_ref)],
    ['queue_id', text(row.queue_id)],
    ...DETAILS.map((name): JsonMember => [name, raw(details.get(name)?.raw() ?? UNSET_DETAILS[name])]),
  ];
}

/** Names that {@link feedbackMembers} may give. */
export const FEEDBACK_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'project_id',
  'weave_ref',
  'wb_user_id',
  'creator',
  'created_at',
  'feedback_type',
  'payload',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
  ...DETAILS,
]);
