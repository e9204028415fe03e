import { randomUUID } from 'node:crypto';
import { ValidationError } from '@heddle/http';
import {
  appendMember,
  encodeText,
  indexJsonSync,
  isPlain,
  type JsonMember,
  type JsonNode,
  jsonObject,
  raw,
  searchable,
} from '@heddle/json';
import { parseProjectId, type ProjectName } from '@heddle/projects';
import { fieldReader } from '../request/read-fields.js';
import { storedName } from '../request/stored-text.js';
import { wrongKind } from '../request/wrong-kind.js';
import type { Annotation } from './annotation-specs.service.js';
import { checkFeedbackType } from './feedback-types.js';
import { DETAILS } from './feedback-details.js';
import { NewFeedback } from './feedback.schema.js';

/** As in the hosted service. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

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

export interface ReadFeedback {
  project: ProjectName;
  row: FeedbackInsert;
  /** What is left to check: its spec says whether it may be said. */
  annotation?: Annotation;
}

/**
 * Reads and checks one piece of feedback.
 * @param id for feedback that brings none
 */
export async function readFeedback(
  node: JsonNode | undefined,
  loc: Loc,
  id: string = randomUUID(),
): Promise<ReadFeedback> {
  const fields = readNewFeedback(node, loc);
  const sent = checkedPayload(node?.get('payload'), [...loc, 'payload']);
  const added = checkFeedbackType(fields, sent, loc);
  const text = added.reduce((json, [name, value]) => appendMember(json, name, value), sent.raw());
  const payload = added.length > 0 ? indexJsonSync(text) : sent;
  const project = parseProjectId(fields.project_id, [...loc, 'project_id']);
  const name = (field: keyof NewFeedback): string | null => {
    const value = fields[field];
    return value === undefined ? null : storedName(value, [...loc, field]);
  };
  return {
    project,
    ...(fields.annotation_ref === undefined
      ? {}
      : { annotation: { project, ref: fields.annotation_ref, value: sent.get('value')!, loc } }),
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
  if (payload?.kind !== 'object') throw wrongKind(loc, 'object', payload);
  if (payload.end - payload.start <= MAX_PAYLOAD_BYTES) return payload;
  throw ValidationError.at(loc, `must have at most ${MAX_PAYLOAD_BYTES} bytes`, 'too_large');
}

function detailsOf(node: JsonNode | undefined): JsonMember[] {
  return DETAILS.flatMap((name): JsonMember[] => {
    const value = node?.get(name);
    return value && value.kind !== 'null' ? [[name, raw(value.raw())]] : [];
  });
}
