import { type EventType, isMetricEventType } from '../events/event-types.js';
import type { AnyFilter } from '../events/event-filter.js';
import type { EventFacts } from './event-facts.js';
import { type Pattern, patternOf, requiredText } from './pattern.js';

/** A text without which a condition can't hold: it stands somewhere in the fact. */
export interface Gate {
  fact: Fact;
  text: string;
}

/** One input of an automation, as a question to an event. */
export interface Condition {
  /** The filter's field. */
  field: string;
  expected: unknown;
  actual(facts: EventFacts): unknown;
  test(facts: EventFacts): boolean;
  gate?: Gate | undefined;
}

type Fact = Exclude<keyof EventFacts, 'metrics'>;

const PATTERNS: Readonly<Record<string, Fact>> = {
  alias_regex: 'alias',
  tag_regex: 'tag',
  collection_regex: 'collection',
  run_name_regex: 'runName',
  title_regex: 'title',
};

const EQUALS: Readonly<Record<string, Fact>> = { artifact_type: 'artifactType', user: 'user' };

const ONE_OF: Readonly<Record<string, Fact>> = { states: 'state', severities: 'severity' };

/** What must hold of an event's facts, all of it. Conditions on a metric's values come on top: see `metricCondition`. */
export function conditionsOf(type: EventType, filter: AnyFilter): Condition[] {
  return Object.entries(filter).flatMap(([field, expected]) => conditionOf(type, field, expected) ?? []);
}

function conditionOf(type: EventType, field: string, expected: unknown): Condition | undefined {
  const pattern = PATTERNS[field];
  if (pattern) {
    // Read at the first event, and shared by all automations with the same pattern.
    let compiled: Pattern | undefined;
    const test = (value: string): boolean => (compiled ??= patternOf(expected as string)).test(value);
    return { ...onFact(field, expected, pattern, test), gate: gateOf(pattern, requiredText(expected as string)) };
  }
  const equal = EQUALS[field];
  if (equal) {
    return {
      ...onFact(field, expected, equal, (value) => value === expected),
      gate: gateOf(equal, expected as string),
    };
  }
  const oneOf = ONE_OF[field];
  if (oneOf) return onFact(field, expected, oneOf, (value) => (expected as string[]).includes(value));
  if (field === 'name' && isMetricEventType(type)) {
    const name = expected as string;
    return {
      field,
      expected,
      actual: ({ metrics }) => metrics,
      test: ({ metrics }) => metrics?.includes(name) ?? false,
    };
  }
  return undefined;
}

function onFact(field: string, expected: unknown, fact: Fact, test: (value: string) => boolean): Condition {
  return {
    field,
    expected,
    actual: (facts) => facts[fact],
    test: (facts) => {
      const value = facts[fact];
      return value !== undefined && test(value);
    },
  };
}

const gateOf = (fact: Fact, text: string): Gate | undefined => (text === '' ? undefined : { fact, text });
