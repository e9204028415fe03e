import { ValidationError } from '@heddle/http';
import { toJsonDouble } from '@heddle/json';
import { comesLast, orderOf } from '../../filters/mongo-values.js';
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

/** Runs without a value come last, whichever way it goes, and before them those with NaN. */
export function comparePositions(order: RunOrder, a: RunPosition, b: RunPosition): number {
  const byValue = order.field === 'created_at' ? 0 : orderOf(a.value, b.value);
  if (byValue !== 0) {
    const hasPlaces = ![a.value, b.value].some(comesLast);
    return order.isDescending && hasPlaces ? -byValue : byValue;
  }
  const byTime = a.created === b.created ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.created < b.created ? -1 : 1;
  return order.isDescending ? -byTime : byTime;
}

export const cursorOf = ({ value, created, id }: RunPosition): string =>
  Buffer.from(JSON.stringify([told(value), created, id])).toString('base64url');

/** JSON has neither times nor NaN. Other objects are all in one place. */
function told(value: unknown): unknown {
  if (value instanceof Date) return { time: value.toISOString() };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: toJsonDouble(value) };
  return typeof value === 'object' && value !== null ? {} : (value ?? null);
}

/** @throws ValidationError for what is no cursor of a list of runs */
export function readCursor(cursor: string): RunPosition {
  try {
    const [value, created, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, string, string];
    if (typeof created !== 'string' || typeof id !== 'string') throw new TypeError('no position');
    return { value: untold(value), created, id };
  } catch {
    throw ValidationError.at(['variables', 'cursor'], 'is not a cursor of this list', 'cursor', cursor);
  }
}

function untold(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('time' in value) return new Date(String(value.time));
  return 'number' in value ? Number(value.number) : value;
}
