import { randomUUID } from 'node:crypto';
import { ValidationError } from '@heddle/http';
import { encodeText, isPlain, type JsonMember, type JsonNode, jsonObject, raw, searchable } from '@heddle/json';
import { parseProjectId, type ProjectName } from '@heddle/projects';
import { fieldReader } from '../request/read-fields.js';
import { storedName } from '../request/stored-text.js';
import { NewFeedback } from './feedback.schema.js';

/** As in the hosted service. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** What a scorer, or an agent's trace, adds to the payload. Stored and returned as it came. */
export const DETAILS = [
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
  'span_agent_name',
  'span_agent_version',
  'span_status_code',
  'span_conversation_id',
  'span_trace_id',
  'scorer_trace_id',
] as const;

/** A row to be written. Texts as stored; `payload`, `payload_search` and `details` are JSON texts. */
export interface FeedbackInsert {
  id: string;
  weave_ref: string;
  feedback_type: string;
  payload: Buffer;
  payload_search: Buffer | null;
  details: Buffer;
  creator: string | null;
  annotation_ref: string | null;
  runnable_ref: string | null;
  call_ref: string | null;
  trigger_ref: string | null;
  queue_id: string | null;
}

type Loc = (string | number)[];

const readNewFeedback = fieldReader(NewFeedback);

/** Types that mean nothing without a reference beside the payload, and those whose payload the SDKs rely on. */
const REQUIRED_REFS = { 'wandb.annotation.': 'annotation_ref', 'wandb.runnable.': 'runnable_ref' } as const;
const REQUIRED_TEXTS: Readonly<Record<string, string>> = { 'wandb.reaction.1': 'emoji', 'wandb.note.1': 'note' };

/**
 * Reads and checks one piece of feedback.
 * @param id for feedback that brings none
 */
export async function readFeedback(
  node: JsonNode | undefined,
  loc: Loc,
  id: string = randomUUID(),
): Promise<{ project: ProjectName; row: FeedbackInsert }> {
  const fields = readNewFeedback(node, loc);
  const payload = checkedPayload(node?.get('payload'), [...loc, 'payload']);
  checkType(fields, payload, loc);
  const name = (field: keyof NewFeedback): string | null => {
    const value = fields[field];
    return value === undefined ? null : storedName(value, [...loc, field]);
  };
  return {
    project: parseProjectId(fields.project_id, [...loc, 'project_id']),
    row: {
      id: name('id') ?? encodeText(id),
      weave_ref: storedName(fields.weave_ref, [...loc, 'weave_ref']),
      feedback_type: storedName(fields.feedback_type, [...loc, 'feedback_type']),
      payload: payload.raw(),
      payload_search: isPlain(payload) ? null : await searchable(payload),
      details: jsonObject(detailsOf(node)),
      creator: fields.creator === undefined ? null : encodeText(fields.creator),
      annotation_ref: name('annotation_ref'),
      runnable_ref: name('runnable_ref'),
      call_ref: name('call_ref'),
      trigger_ref: name('trigger_ref'),
      queue_id: name('queue_id'),
    },
  };
}

function checkedPayload(payload: JsonNode | undefined, loc: Loc): JsonNode {
  if (payload?.kind !== 'object')
    throw ValidationError.at(loc, 'must be an object', payload ? 'object_type' : 'missing');
  if (payload.end - payload.start <= MAX_PAYLOAD_BYTES) return payload;
  throw ValidationError.at(loc, `must have at most ${MAX_PAYLOAD_BYTES} bytes`, 'too_large');
}

function checkType(fields: NewFeedback, payload: JsonNode, loc: Loc): void {
  if (!fields.weave_ref.startsWith('weave:///')) {
    throw ValidationError.at([...loc, 'weave_ref'], 'must be a weave:/// reference', 'weave_ref');
  }
  for (const [prefix, field] of Object.entries(REQUIRED_REFS)) {
    if (fields.feedback_type.startsWith(prefix) && fields[field] === undefined) {
      throw ValidationError.at([...loc, field], `${field} is required for ${prefix}*`, 'missing');
    }
  }
  const text = Object.hasOwn(REQUIRED_TEXTS, fields.feedback_type) ? REQUIRED_TEXTS[fields.feedback_type] : undefined;
  if (text !== undefined && payload.get(text)?.kind !== 'string') {
    throw ValidationError.at([...loc, 'payload', text], `must be a string for ${fields.feedback_type}`, 'string_type');
  }
}

function detailsOf(node: JsonNode | undefined): JsonMember[] {
  return DETAILS.flatMap((name): JsonMember[] => {
    const value = node?.get(name);
    return value && value.kind !== 'null' ? [[name, raw(value.raw())]] : [];
  });
}
