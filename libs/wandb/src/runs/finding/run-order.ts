import { ValidationError } from '@heddle/http';
import { orderOf } from '../../filters/mongo-values.js';
import { checkRunField } from './run-fields.js';

/** Where a run stands in a list: by its value, then by when it was made. */
export interface RunPosition {
  value: unknown;
  /** With microseconds, in UTC. */
  created: string;
  id: string;
}

export interface RunOrder {
  field: string;
  isDescending: boolean;
}

/** `+created_at`, `-summary_metrics.loss`; without a sign, upwards. */
export function readRunOrder(order: string | null | undefined): RunOrder {
  const [, sign, field = 'created_at'] = /^([+-]?)(.+)$/s.exec(order ?? '') ?? [];
  checkRunField(field);
  return { field: field === 'createdAt' ? 'created_at' : field, isDescending: sign === '-' };
}

/** Runs without a value come last, whichever way it goes. */
export function comparePositions(order: RunOrder, a: RunPosition, b: RunPosition): number {
  const byValue = order.field === 'created_at' ? 0 : orderOf(a.value, b.value);
  if (byValue !== 0) {
    const isMissing = [a.value, b.value].some((value) => value === undefined || value === null);
    return order.isDescending && !isMissing ? -byValue : byValue;
  }
  const byTime = a.created === b.created ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.created < b.created ? -1 : 1;
  return order.isDescending ? -byTime : byTime;
}

export const cursorOf = ({ value, created, id }: RunPosition): string =>
  Buffer.from(
    JSON.stringify([value instanceof Date ? { time: value.toISOString() } : (value ?? null), created, id]),
  ).toString('base64url');

/** @throws ValidationError for what is no cursor of a list of runs */
export function readCursor(cursor: string): RunPosition {
  try {
    const [value, created, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, string, string];
    if (typeof created !== 'string' || typeof id !== 'string') throw new TypeError('no position');
    const time = typeof value === 'object' && value !== null && 'time' in value ? String(value.time) : null;
    return { value: time === null ? value : new Date(time), created, id };
  } catch {
    throw ValidationError.at(['variables', 'cursor'], 'is not a cursor of this list', 'cursor', cursor);
  }
}
