import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { assertPattern } from '../matching/pattern.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import { FILTER_SCHEMAS } from './filter-schemas.js';
import { schemaError } from './schema-problems.js';

export type FilterOf<T extends EventType> = Static<(typeof FILTER_SCHEMAS)[T]>;

export type AnyFilter = Readonly<Record<string, unknown>>;

const VALIDATORS = new Map(EVENT_TYPES.map((type) => [type, Compile(FILTER_SCHEMAS[type])]));

const FILTER = ['body', 'event', 'filter'];

/**
 * The inputs of an event type from a request. A null input counts as none. What the event type doesn't know is refused:
 * dropped, it would widen the automation.
 * @throws ValidationError with each place
 */
export function readFilter(type: EventType, given: AnyFilter): AnyFilter {
  const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const validator = VALIDATORS.get(type)!;
  if (!validator.Check(filter)) throw schemaError(validator.Errors(filter), FILTER, FILTER_SCHEMAS[type]);
  for (const [field, value] of Object.entries(filter)) {
    if (field.endsWith('_regex')) assertPattern(value as string, [...FILTER, field]);
  }
  return filter;
}
