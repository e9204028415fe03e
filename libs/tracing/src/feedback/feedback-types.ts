import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { parseTraceRef, type TraceRef } from '../refs/trace-ref.js';
import { emojiNames } from './emoji-names.js';
import type { NewFeedback } from './feedback.schema.js';

type Loc = (string | number)[];

const REACTION = 'wandb.reaction.1';
const NOTE = 'wandb.note.1';
/** What follows the prefix is the name of the object that the reference names. */
const ANNOTATION = 'wandb.annotation';
const RUNNABLE = 'wandb.runnable';
const AGENT_MONITOR = 'wandb.agent_monitor';

const MAX_NOTE_CHARACTERS = 1024;

type RefField = 'annotation_ref' | 'runnable_ref' | 'call_ref' | 'trigger_ref';
/** What the reference of each field may name. */
const TARGETS: Readonly<Record<RefField, readonly string[]>> = {
  annotation_ref: ['object'],
  runnable_ref: ['object', 'op'],
  call_ref: ['call'],
  trigger_ref: ['object'],
};

/** Members that are added to a payload, beside those that it came with. */
export type AddedMembers = readonly (readonly [string, string])[];

/**
 * Checks a piece of feedback by its type: which references it needs and may have, and what its payload must hold.
 * @throws ValidationError at the field that is wrong
 */
export function checkFeedbackType(fields: NewFeedback, payload: JsonNode, loc: Loc): AddedMembers {
  if (!fields.weave_ref.startsWith('weave:///'))
    throw ValidationError.at([...loc, 'weave_ref'], 'must be a weave:/// reference', 'weave_ref');
  checkRefs(fields, loc);
  const type = fields.feedback_type;
  const at = [...loc, 'payload'];
  if (type.startsWith(ANNOTATION)) checkMember(payload, 'value', at, type);
  if (type.startsWith(RUNNABLE)) checkMember(payload, 'output', at, type);
  if (type === NOTE) checkNote(payload, [...at, 'note']);
  return type === REACTION ? reactionMembers(payload, [...at, 'emoji']) : [];
}

function checkRefs(fields: NewFeedback, loc: Loc): void {
  const type = fields.feedback_type;
  const monitor = type === AGENT_MONITOR;
  const runnable = type.startsWith(RUNNABLE);
  const annotated = refOf(fields, 'annotation_ref', loc, type.startsWith(ANNOTATION), type.startsWith(ANNOTATION));
  const run = refOf(fields, 'runnable_ref', loc, runnable || monitor, runnable || monitor);
  refOf(fields, 'call_ref', loc, runnable || monitor, monitor || (runnable && isOp(run)));
  refOf(fields, 'trigger_ref', loc, runnable || monitor, monitor);
  if (annotated) checkName(annotated, type, ANNOTATION, [...loc, 'annotation_ref']);
  if (run && runnable) checkName(run, type, RUNNABLE, [...loc, 'runnable_ref']);
}

function refOf(fields: NewFeedback, name: RefField, loc: Loc, allowed: boolean, required: boolean): TraceRef | null {
  const at = [...loc, name];
  const text = fields[name];
  if (text === undefined) {
    if (required) throw ValidationError.at(at, `${name} is required for ${fields.feedback_type}`, 'missing');
    return null;
  }
  if (!allowed) throw ValidationError.at(at, `${name} is not allowed for ${fields.feedback_type}`, 'not_allowed');
  const ref = parseTraceRef(text);
  const kind = ref?.target.type === 'object' ? ref.target.kind : ref?.target.type;
  if (ref && kind && TARGETS[name].includes(kind)) return ref;
  throw ValidationError.at(at, `must be a reference to: ${TARGETS[name].join(', ')}`, 'weave_ref');
}

const isOp = (ref: TraceRef | null): boolean => ref?.target.type === 'object' && ref.target.kind === 'op';

/** `wandb.runnable.judge` is about the object `judge`. */
function checkName(ref: TraceRef, type: string, prefix: string, loc: Loc): void {
  const name = ref.target.type === 'object' ? ref.target.objectId : '';
  if (type === `${prefix}.${name}`) return;
  throw ValidationError.at(loc, `must name an object called as the type says after ${prefix}.`, 'weave_ref');
}

function checkMember(payload: JsonNode, name: string, loc: Loc, type: string): void {
  if (!payload.get(name)) throw ValidationError.at([...loc, name], `${name} is required for ${type}`, 'missing');
}

function checkNote(payload: JsonNode, loc: Loc): void {
  const note = payload.get('note')?.string();
  if (note === undefined) throw ValidationError.at(loc, 'must be a string', 'string_type');
  // Cut first: counting characters of a megabyte that is refused anyway helps nobody.
  const length = [...note.slice(0, 2 * MAX_NOTE_CHARACTERS + 2)].length;
  if (length > 0 && length <= MAX_NOTE_CHARACTERS) return;
  throw ValidationError.at(loc, `must have 1 to ${MAX_NOTE_CHARACTERS} characters`, 'string_length');
}

function reactionMembers(payload: JsonNode, loc: Loc): AddedMembers {
  const emoji = payload.get('emoji')?.string();
  if (emoji === undefined) throw ValidationError.at(loc, 'must be a string', 'string_type');
  const names = emojiNames(emoji);
  if (!names) throw ValidationError.at(loc, 'must be exactly one emoji', 'emoji');
  return Object.entries(names);
}
